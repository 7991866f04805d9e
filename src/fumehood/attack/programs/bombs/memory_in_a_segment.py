# aim: use more memory than the limit in a System V segment, which outlives the process
# mechanism: shmget and shmat, and a write to each page
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, ipc namespace, cgroup
# plain: succeeds
# expect: held | error MemoryError | fault memory
def fill():
    size = 192 << 20
    segment = syscall("shmget", 0, size, 0o1600)
    address = syscall("shmat", segment, 0, 0)
    for offset in range(0, size, 4096):
        ctypes.c_char.from_address(address + offset).value = b"x"
    return f"{size >> 20} MB"

judge(fill)
