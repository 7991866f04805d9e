# aim: reach beyond the root with O_PATH descriptors, openat2 and links in /proc
# mechanism: O_PATH, openat2 and /proc/self/fd
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: mount namespace, landlock
# plain: succeeds
# expect: held
def by_path():
    root = os.open("/", os.O_PATH)
    for _ in range(8):
        root = os.open("..", os.O_PATH, dir_fd=root)
    return read_bytes(f"/proc/self/fd/{root}{secret_path}").decode()

def by_openat2():
    how = ctypes.create_string_buffer(struct.pack("QQQ", os.O_RDONLY, 0, 0))
    descriptor = syscall("openat2", -100, secret_path.encode() + b"\0", how, 24)
    return os.read(descriptor, 100).decode()

judge(lambda: first_success([by_path, by_openat2]))
