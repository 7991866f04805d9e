# aim: use more memory than the limit by mapping it read-only, which is not counted, and writing to it through /proc/self/mem
# mechanism: a read-only mapping written to through /proc/self/mem
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: cgroup, seccomp
# plain: succeeds
# expect: held | error MemoryError | fault memory
def grow():
    size = 192 << 20
    address = map_memory(size, 1, 0x02 | 0x20)
    with open("/proc/self/mem", "r+b", buffering=0) as memory:
        chunk = b"x" * (1 << 20)
        for offset in range(0, size, len(chunk)):
            memory.seek(address + offset)
            memory.write(chunk)
    return f"{size >> 20} MB"

judge(grow)
