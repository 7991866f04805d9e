# aim: mount a file system
# layer: seccomp, privileges
# expect: held
# plain: succeeds
def mount():
    os.makedirs("point", exist_ok=True)
    syscall("mount", b"none\0", b"point\0", b"tmpfs\0", 0, 0)
    return "a file system was mounted"

judge(mount)
