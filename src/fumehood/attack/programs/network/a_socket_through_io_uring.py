# aim: make a socket by io_uring, which no system-call filter sees
# mechanism: io_uring_setup and IORING_OP_SOCKET
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp
# plain: succeeds
# expect: held
def ring():
    parameters = ctypes.create_string_buffer(120)
    return f"a ring, descriptor {syscall('io_uring_setup', 4, parameters)}"

judge(ring)
