# aim: use more memory than the limit by sharing a mapping of /dev/zero, which is anonymous shared memory by another name
# mechanism: a shared mapping of /dev/zero
# language: check
# reason: the policy does not authorize mmap
# jail: seccomp, cgroup, mount namespace
# plain: succeeds
# without: memory cgroup with programs
# expect: held | error MemoryError | fault memory
import mmap

def grow():
    device = os.open("/dev/zero", os.O_RDWR)
    room = mmap.mmap(device, 192 << 20, flags=mmap.MAP_SHARED)
    for offset in range(0, len(room), 4096):
        room[offset] = 1
    return f"{len(room) >> 20} MB"

judge(grow)
