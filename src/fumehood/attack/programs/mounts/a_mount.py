# aim: mount a file system
# mechanism: mount of tmpfs, proc and a bind
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, privileges
# plain: succeeds
# expect: held
def mount():
    os.makedirs("point", exist_ok=True)
    syscall("mount", b"none\0", b"point\0", b"tmpfs\0", 0, 0)
    return "a file system was mounted"

judge(mount)
