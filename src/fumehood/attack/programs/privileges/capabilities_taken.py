# aim: take capabilities back, also into the ambient set
# mechanism: capset and PR_CAP_AMBIENT_RAISE
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, privileges
# plain: succeeds
# expect: held
def take():
    header = struct.pack("Ii", 0x20080522, 0)
    syscall("capset", header, struct.pack("IIIIII", 1 << 13, 1 << 13, 1 << 13, 0, 0, 0))  # CAP_NET_RAW
    return "CAP_NET_RAW"

judge(take)
