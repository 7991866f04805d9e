# aim: replace /lab itself, so that the host's reads and writes go elsewhere
# mechanism: rename or rmdir of /lab, and a link in its place
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: mount namespace, landlock
# plain: none (nobody reads the files of a plain process)
# expect: held
# needs: mount namespace
judge(lambda: first_success([
    lambda: os.rename("/lab", "/lib2") or "/lab was moved",
    lambda: os.rmdir("/lab") or "/lab was removed",
    lambda: os.symlink("/etc", "/lab2") or "a link in the root",
]))
