# aim: load a program into the kernel
# layer: seccomp
# expect: held
# plain: succeeds
def load():
    # BPF_MAP_CREATE of the smallest array.
    return f"a map, descriptor {syscall('bpf', 0, struct.pack('IIIII', 2, 4, 4, 1, 0) + bytes(52), 72)}"

judge(load)
