# aim: read the kernel's log
# layer: seccomp, privileges
# expect: held
# plain: succeeds
judge(lambda: f"{syscall('syslog', 10, 0, 0)} bytes of log")
