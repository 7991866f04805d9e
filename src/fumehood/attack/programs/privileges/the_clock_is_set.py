# aim: change the machine's clock
# mechanism: adjtimex and clock_settime
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, privileges
# plain: succeeds
# expect: held
def tune():
    state = ctypes.create_string_buffer(256)
    syscall("adjtimex", state)  # reads only
    tick = struct.unpack_from("q", state, 88)[0]
    struct.pack_into("I", state, 0, 0x4000)  # ADJ_TICK, to what it is already
    struct.pack_into("q", state, 88, tick)
    syscall("adjtimex", state)
    return f"the clock's tick was set to {tick}"

judge(tune)
