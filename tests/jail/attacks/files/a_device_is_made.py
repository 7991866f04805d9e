# aim: make a device node for the machine's disk or memory
# layer: seccomp, landlock, privileges
# expect: held
# plain: succeeds
def make():
    # Number 1:3 is /dev/null: as forbidden as a disk and as harmless as can be.
    for kind in (stat.S_IFCHR, stat.S_IFBLK):
        os.mknod(f"device{kind}", kind | 0o600, os.makedev(1, 3))
    return "a device node"

judge(make)
