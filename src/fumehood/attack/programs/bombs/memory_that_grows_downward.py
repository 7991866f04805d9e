# aim: use more memory than the limit as a stack, which the limit on data does not count
# mechanism: a private mapping with MAP_GROWSDOWN
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, cgroup
# plain: succeeds
# expect: held | error MemoryError | fault memory
def grow():
    size = 192 << 20
    address = map_memory(size, 3, 0x02 | 0x20 | 0x0100)  # MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN
    for offset in range(0, size, 4096):
        ctypes.c_char.from_address(address + offset).value = b"x"
    return f"{size >> 20} MB"

judge(grow)
