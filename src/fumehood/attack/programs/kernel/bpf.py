# aim: load a program into the kernel
# mechanism: bpf with a small program
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp
# plain: succeeds
# expect: held
def load():
    # BPF_MAP_CREATE of the smallest array.
    return f"a map, descriptor {syscall('bpf', 0, struct.pack('IIIII', 2, 4, 4, 1, 0) + bytes(52), 72)}"

judge(load)
