# aim: make a socket by io_uring, which no system-call filter sees
# layer: seccomp
# expect: held
# plain: succeeds
def ring():
    parameters = ctypes.create_string_buffer(120)
    return f"a ring, descriptor {syscall('io_uring_setup', 4, parameters)}"

judge(ring)
