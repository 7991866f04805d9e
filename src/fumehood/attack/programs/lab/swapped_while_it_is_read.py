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
    with open("/lab/file", "w") as file:
        file.write("harmless")
    while time.monotonic() < ends:
        try:
            os.symlink(secret_path, "/lab/link")
            os.rename("/lab/link", "/lab/loot")
            os.link("/lab/file", "/lab/other")
            os.rename("/lab/other", "/lab/loot")
        except OSError:
            time.sleep(0.001)

if os.fork() == 0:
    try:
        swap()
    finally:
        os._exit(0)
"held: it is being swapped"
