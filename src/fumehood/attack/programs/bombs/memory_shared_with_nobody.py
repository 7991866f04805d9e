# aim: use more memory than the limit as anonymous shared memory, which no limit of a process counts
# mechanism: a shared anonymous mapping
# language: check
# reason: the policy does not authorize mmap
# jail: seccomp, cgroup
# plain: succeeds
# expect: held | error MemoryError | fault memory
import mmap

def grow():
    room = mmap.mmap(-1, 192 << 20, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
    for offset in range(0, len(room), 4096):
        room[offset] = 1
    return f"{len(room) >> 20} MB"

judge(grow)
