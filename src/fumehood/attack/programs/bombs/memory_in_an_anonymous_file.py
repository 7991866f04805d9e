# aim: use more memory than the limit in a file without a name
# mechanism: memfd_create and writes to it
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: seccomp, cgroup, rlimits
# plain: succeeds
# expect: held | error MemoryError | fault memory
def fill():
    descriptor = os.memfd_create("room")
    for _ in range(12):
        os.write(descriptor, b"x" * (16 << 20))
    return f"{os.fstat(descriptor).st_size >> 20} MB"

judge(fill)
