# aim: read the kernel's log
# mechanism: syslog
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, privileges
# plain: succeeds
# expect: held
judge(lambda: f"{syscall('syslog', 10, 0, 0)} bytes of log")
