# aim: replace /lab itself, so that the host's reads and writes go elsewhere
# layer: mount namespace, landlock
# expect: held
# needs: mount namespace
# plain: none (nobody reads the files of a plain process)
judge(lambda: first_success([
    lambda: os.rename("/lab", "/lib2") or "/lab was moved",
    lambda: os.rmdir("/lab") or "/lab was removed",
    lambda: os.symlink("/etc", "/lab2") or "a link in the root",
]))
