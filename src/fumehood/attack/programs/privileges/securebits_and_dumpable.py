# aim: change how the kernel treats this process's rights
# mechanism: prctl with a dozen settings
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, privileges
# plain: succeeds
# expect: held
def bits():
    if _libc.prctl(28, 0x10, 0, 0, 0) == 0:  # PR_SET_SECUREBITS
        return "the secure bits were set"
    raise OSError(ctypes.get_errno(), "prctl")

judge(lambda: in_child(bits) or bits())
