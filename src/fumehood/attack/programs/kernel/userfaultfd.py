# aim: stop the kernel in the middle of a copy by handling its page faults
# mechanism: userfaultfd
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp
# plain: succeeds
# expect: held
judge(lambda: f"descriptor {syscall('userfaultfd', 1)}")
