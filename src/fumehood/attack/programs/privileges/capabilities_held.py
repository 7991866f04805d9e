# aim: find a capability that was left
# mechanism: capget and /proc/self/status
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: privileges
# plain: succeeds
# expect: held
def by_the_call():
    data = ctypes.create_string_buffer(24)
    syscall("capget", struct.pack("Ii", 0x20080522, 0), data)
    words = struct.unpack("IIIIII", data.raw)
    return f"capabilities {words}" if any(words) else None

def by_the_file():
    with open("/proc/self/status") as status:
        left = [line.strip() for line in status if line.startswith(("CapInh", "CapPrm", "CapEff", "CapAmb")) and int(line.split()[1], 16)]
    return left or None

judge(lambda: first_success([by_the_call, by_the_file]))
