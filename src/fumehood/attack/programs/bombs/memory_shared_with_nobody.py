# aim: use more memory than the limit as anonymous shared memory, which RLIMIT_DATA does not count
# mechanism: a shared anonymous mapping
# language: check
# reason: the policy does not authorize mmap
# jail: rlimits, cgroup
# plain: succeeds
# without: memory cgroup with programs
# expect: held | error MemoryError | fault memory
import mmap

def grow():
    # RLIMIT_AS counts every mapping, and leaves 512 MB for those that take no memory.
    room = mmap.mmap(-1, 1 << 30, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
    for offset in range(0, 192 << 20, 4096):
        room[offset] = 1
    return "192 MB"

judge(grow)
