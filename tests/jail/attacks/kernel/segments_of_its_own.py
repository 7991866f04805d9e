# aim: install descriptors in the processor's local table
# layer: seccomp
# expect: held
# plain: succeeds
# arch: x86_64
def install():
    entry = struct.pack("IIII", 0, 0, 0xFFFFF, 0b0110001)
    return f"an entry: {syscall('modify_ldt', 1, entry, 16)}"

judge(install)
