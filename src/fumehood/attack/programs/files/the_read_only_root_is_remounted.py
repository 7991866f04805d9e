# aim: make the read-only root writable again
# mechanism: mount with MS_REMOUNT
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, privileges
# plain: succeeds
# expect: held
def remount():
    syscall("mount", 0, b"/", 0, 0x20 | 0x1000, 0)  # MS_REMOUNT | MS_BIND: read-only is not among the flags
    return "/ was remounted"

judge(remount)
