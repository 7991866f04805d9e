# aim: tell the kernel which memory to use
# mechanism: mbind and move_pages
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp
# plain: succeeds
# expect: held
judge(lambda: passed_the_gate("mbind", 1, 4096, 0, 0, 0, 0, then="EINVAL EFAULT") if os.getpid() else None)
