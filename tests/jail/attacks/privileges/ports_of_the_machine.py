# aim: talk to the machine's hardware ports
# layer: seccomp, privileges
# expect: held
# plain: none (many kernels are built without such ports)
# arch: x86_64
judge(lambda: first_success([lambda: syscall("ioperm", 0x80, 1, 1) or "port 0x80", lambda: syscall("iopl", 3) or "all ports"]))
