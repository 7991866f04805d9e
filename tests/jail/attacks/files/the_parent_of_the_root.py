# aim: climb out of the root by dots, by a second chroot and by a directory left open
# layer: mount namespace, seccomp, privileges
# expect: held
# plain: succeeds
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
