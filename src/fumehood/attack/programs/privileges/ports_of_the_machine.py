# aim: talk to the machine's hardware ports
# mechanism: ioperm and iopl
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, privileges
# plain: none (many kernels are built without such ports)
# expect: held
# arch: x86_64
judge(lambda: first_success([lambda: syscall("ioperm", 0x80, 1, 1) or "port 0x80", lambda: syscall("iopl", 3) or "all ports"]))
