# aim: leave the root through a directory that the host left open
# mechanism: fchdir to every descriptor
# source: CVE-2024-21626
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: descriptors
# plain: succeeds
# expect: held
def leave():
    for number, mode in open_descriptors().items():
        if stat.S_ISDIR(mode):
            os.fchdir(number)
            for name in ("secret", *["../" * up + secret_path.lstrip("/") for up in range(1, 9)]):
                try:
                    return read_bytes(name).decode()
                except OSError:
                    continue

judge(lambda: in_child(leave))
