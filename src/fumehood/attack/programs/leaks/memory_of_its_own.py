# aim: find a secret of the host, or of another sandbox, in this process's memory
# mechanism: every mapping of /proc/self/maps, read by ctypes
# language: check
# reason: the policy does not authorize ctypes
# jail: exec, environment
# plain: succeeds
# expect: held
def search():
    found = set()
    with open("/proc/self/maps") as maps:
        lines = maps.read().splitlines()
    for line in lines:
        span, rights, *rest = line.split()
        start, end = (int(part, 16) for part in span.split("-"))
        # Private writable memory is where values are; the rest are files that anybody may read.
        if rights.startswith("rw") and end - start < 256 << 20 and not rest[-1].startswith("[v"):
            found.update(canaries_in((ctypes.c_char * (end - start)).from_address(start)))
    return sorted(found)

judge(search)
