# aim: change the mode, the times or the attributes of a file of the host's user
# mechanism: chmod, utime and setxattr by path
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: mount namespace
# plain: succeeds
# expect: held
# housed: a container has no files of the host's, and a neighbour's lab has a name that nobody knows
def change():
    return first_success([
        lambda: os.chmod(secret_path, 0o777) or "another mode",
        lambda: os.utime(secret_path, (1, 1)) or "other times",
        lambda: os.setxattr(secret_path, "user.attack", b"x") or "an attribute",
        lambda: os.chmod(outside_dir, 0o700) or "another mode of a directory",
    ])

judge(change)
