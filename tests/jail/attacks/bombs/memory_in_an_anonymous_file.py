# aim: use more memory than the limit in a file without a name
# layer: seccomp, cgroup, rlimits
# expect: held | error MemoryError | fault memory
# plain: succeeds
def fill():
    descriptor = os.memfd_create("room")
    for _ in range(12):
        os.write(descriptor, b"x" * (16 << 20))
    return f"{os.fstat(descriptor).st_size >> 20} MB"

judge(fill)
