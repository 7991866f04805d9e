# aim: leave the root through a directory that the host left open
# layer: descriptors
# expect: held
# plain: succeeds
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
