# aim: make a device node for the machine's disk or memory
# mechanism: mknod with the numbers of disk and memory
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: seccomp, landlock, privileges
# plain: succeeds
# expect: held
def make():
    # Number 1:3 is /dev/null: as forbidden as a disk and as harmless as can be.
    for kind in (stat.S_IFCHR, stat.S_IFBLK):
        os.mknod(f"device{kind}", kind | 0o600, os.makedev(1, 3))
    return "a device node"

judge(make)
