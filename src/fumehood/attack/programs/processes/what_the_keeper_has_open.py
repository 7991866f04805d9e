# aim: learn what pid 1 is, what it has open, mapped and in its environment
# mechanism: /proc/1
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: privileges, pid namespace
# plain: succeeds
# expect: held
def look():
    return first_success([
        lambda: f"maps of {len(read_bytes('/proc/1/maps'))} bytes",
        lambda: f"descriptors {os.listdir('/proc/1/fd')}",
        lambda: f"environment of {len(read_bytes('/proc/1/environ'))} bytes",
        lambda: os.readlink("/proc/1/exe"),
        lambda: f"stack {read_bytes('/proc/1/stack')!r}",
    ])

judge(look)
