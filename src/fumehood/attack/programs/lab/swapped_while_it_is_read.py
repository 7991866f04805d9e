# aim: swap a file for a link between the host's look at it and its reading
# mechanism: a child that swaps a file and a link all the time
# language: check
# reason: the policy does not authorize threading
# jail: files, mount namespace
# plain: none (nobody reads the files of a plain process)
# expect: held
# host: race loot
# needs: mount namespace
import threading

def swap():
    ends = time.monotonic() + 3
    with open("/home/user/file", "w") as file:
        file.write("harmless")
    while time.monotonic() < ends:
        try:
            os.symlink(secret_path, "/home/user/link")
            os.rename("/home/user/link", "/home/user/loot")
            os.link("/home/user/file", "/home/user/other")
            os.rename("/home/user/other", "/home/user/loot")
        except OSError:
            time.sleep(0.001)

if os.fork() == 0:
    try:
        swap()
    finally:
        os._exit(0)
"held: it is being swapped"
