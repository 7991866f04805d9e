# aim: climb out of the root by dots, by a second chroot and by a directory left open
# mechanism: dots, chroot with a descriptor kept open, fchdir
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: mount namespace, seccomp, privileges
# plain: succeeds
# expect: held
def climb():
    above = os.open("/", os.O_RDONLY)
    os.makedirs("inner", exist_ok=True)
    os.chroot("inner")
    os.fchdir(above)
    for _ in range(64):
        os.chdir("..")
    os.chroot(".")
    return read_bytes(secret_path).decode()

judge(lambda: in_child(climb) or read_bytes("../" * 64 + secret_path.lstrip("/")).decode())
