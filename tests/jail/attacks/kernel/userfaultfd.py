# aim: stop the kernel in the middle of a copy by handling its page faults
# layer: seccomp
# expect: held
# plain: succeeds
judge(lambda: f"descriptor {syscall('userfaultfd', 1)}")
