# aim: see the processes of the host
# mechanism: /proc
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: pid namespace
# plain: succeeds
# expect: held
# housed: the container's own processes
def table():
    seen = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                seen.append(read_bytes(f"/proc/{entry}/comm").decode().strip())
            except OSError:
                continue
    return f"{victim_name} among {len(seen)}" if victim_name in seen else None

judge(table)
