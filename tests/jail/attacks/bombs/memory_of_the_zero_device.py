# aim: use more memory than the limit by sharing a mapping of /dev/zero, which is anonymous shared memory by another name
# layer: seccomp, cgroup, mount namespace
# expect: held | error MemoryError | fault memory
# plain: succeeds
import mmap

def grow():
    device = os.open("/dev/zero", os.O_RDWR)
    room = mmap.mmap(device, 192 << 20, flags=mmap.MAP_SHARED)
    for offset in range(0, len(room), 4096):
        room[offset] = 1
    return f"{len(room) >> 20} MB"

judge(grow)
