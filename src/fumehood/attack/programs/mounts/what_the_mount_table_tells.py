# aim: learn where the host has mounted what
# mechanism: /proc/self/mountinfo and its kin
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: mount namespace
# plain: succeeds
# expect: held
# housed: the container's own mounts
def table():
    found = []
    for path in ("/proc/self/mountinfo", "/proc/1/mountinfo", "/proc/mounts", "/proc/self/mountstats"):
        try:
            found += canaries_in(read_bytes(path))
        except OSError:
            continue
    return found

judge(table)
