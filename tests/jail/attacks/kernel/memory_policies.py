# aim: tell the kernel which memory to use
# layer: seccomp
# expect: held
# plain: succeeds
judge(lambda: passed_the_gate("mbind", 1, 4096, 0, 0, 0, 0, then="EINVAL EFAULT") if os.getpid() else None)
