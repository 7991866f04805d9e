# aim: replace /home/user itself, so that the host's reads and writes go elsewhere
# mechanism: rename or rmdir of /home/user, and a link in its place
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: mount namespace, landlock
# plain: none (nobody reads the files of a plain process)
# expect: held
# needs: mount namespace
judge(lambda: first_success([
    lambda: os.rename("/home/user", "/lib2") or "/home/user was moved",
    lambda: os.rmdir("/home/user") or "/home/user was removed",
    lambda: os.symlink("/etc", "/lab2") or "a link in the root",
]))
