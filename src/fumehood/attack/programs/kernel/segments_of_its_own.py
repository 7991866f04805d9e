# aim: install descriptors in the processor's local table
# mechanism: modify_ldt
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp
# plain: succeeds
# expect: held
# arch: x86_64
def install():
    entry = struct.pack("IIII", 0, 0, 0xFFFFF, 0b0110001)
    return f"an entry: {syscall('modify_ldt', 1, entry, 16)}"

judge(install)
