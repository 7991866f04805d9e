# aim: use descriptors that the host left open
# mechanism: pread of every descriptor
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: descriptors
# plain: succeeds
# expect: held
def left_open():
    found = []
    for number, mode in open_descriptors().items():
        if stat.S_ISDIR(mode):
            found.append(f"{number} is a directory with {os.listdir(number)[:5]}")
        elif stat.S_ISREG(mode):
            try:
                found.append(f"{number} is a file with {os.pread(number, 200, 0)!r}")
            except OSError:
                found.append(f"{number} is a file")
        elif stat.S_ISBLK(mode) or stat.S_ISCHR(mode) and os.fstat(number).st_rdev not in (os.makedev(1, 3), os.makedev(1, 8), os.makedev(1, 9)):
            found.append(f"{number} is a device {os.fstat(number).st_rdev:#x}")
    return found

judge(left_open)
