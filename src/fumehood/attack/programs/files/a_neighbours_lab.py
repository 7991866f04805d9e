# aim: find the files of another sandbox
# mechanism: a search of every directory for the file's name
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: mount namespace
# plain: none (there is no other sandbox)
# expect: held
# needs: mount namespace
def search():
    for number in [""] + [f"/proc/{entry}/root" for entry in os.listdir("/proc") if entry.isdigit()]:
        for directory in ("/home/user", "/", "/mnt", "/tmp"):
            try:
                if neighbour_file in os.listdir(number + directory):
                    return read_bytes(f"{number}{directory}/{neighbour_file}").decode()
            except OSError:
                continue

judge(search)
