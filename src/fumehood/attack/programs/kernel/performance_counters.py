# aim: watch the processor's counters, by which other programs can be overheard
# mechanism: perf_event_open
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp
# plain: succeeds
# expect: held
def count():
    # A software counter of its own page faults.
    attributes = struct.pack("IIQQQQQ", 1, 112, 2, 0, 0, 0, 0x21) + bytes(112 - 48)
    return f"descriptor {syscall('perf_event_open', attributes, 0, -1, -1, 0)}"

judge(count)
