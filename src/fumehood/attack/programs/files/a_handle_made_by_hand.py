# aim: open the host's root directory by a file handle, past every mount (the "shocker" attack)
# mechanism: open_by_handle_at with the handle of inode 2
# source: the "shocker" exploit of Docker, 2014
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, privileges
# plain: succeeds
# expect: held
def shocker():
    # Handle type 1: inode and generation. Inode 2 is the root directory of an ext4 disk; the first answer to a wrong handle is ESTALE.
    handle = struct.pack("II", 8, 1) + struct.pack("II", 2, 0)
    mount = os.open(os.path.dirname(os.__file__), os.O_RDONLY)
    try:
        return passed_the_gate("open_by_handle_at", mount, handle, os.O_RDONLY, then="ESTALE")
    finally:
        os.close(mount)

judge(shocker)
