# aim: use more memory than the limit in page tables, by touching one page in every two megabytes of nothing
# mechanism: reading one byte in every two megabytes of a mapping that is never written to
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: cgroup, rlimits
# plain: succeeds
# expect: held | error MemoryError | fault memory
def grow():
    tables = 0
    while tables < 192 << 20:
        # 16 GB of nothing, read and never written: the one zero page is mapped again and again, 4 KB of table for each.
        size = 16 << 30
        address = map_memory(size, 1, 0x02 | 0x20 | 0x4000)
        _libc.madvise(ctypes.c_void_p(address), ctypes.c_size_t(size), 15)  # MADV_NOHUGEPAGE
        for offset in range(0, size, 2 << 20):
            ctypes.c_char.from_address(address + offset).value
        tables += (size >> 21) * 4096
    return f"{tables >> 20} MB of tables"

judge(grow)
