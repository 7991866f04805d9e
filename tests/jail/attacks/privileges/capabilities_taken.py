# aim: take capabilities back, also into the ambient set
# layer: seccomp, privileges
# expect: held
# plain: succeeds
def take():
    header = struct.pack("Ii", 0x20080522, 0)
    syscall("capset", header, struct.pack("IIIIII", 1 << 13, 1 << 13, 1 << 13, 0, 0, 0))  # CAP_NET_RAW
    return "CAP_NET_RAW"

judge(take)
