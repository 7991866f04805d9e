# aim: use more memory than the limit in a System V segment, which outlives the process
# layer: seccomp, ipc namespace, cgroup
# expect: held | error MemoryError | fault memory
# plain: succeeds
def fill():
    size = 192 << 20
    segment = syscall("shmget", 0, size, 0o1600)
    address = syscall("shmat", segment, 0, 0)
    for offset in range(0, size, 4096):
        ctypes.c_char.from_address(address + offset).value = b"x"
    return f"{size >> 20} MB"

judge(fill)
