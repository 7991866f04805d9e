# aim: make the read-only root writable again
# layer: seccomp, privileges
# expect: held
# plain: succeeds
def remount():
    syscall("mount", 0, b"/", 0, 0x20 | 0x1000, 0)  # MS_REMOUNT | MS_BIND: read-only is not among the flags
    return "/ was remounted"

judge(remount)
