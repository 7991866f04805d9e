# aim: learn where the host has mounted what
# layer: mount namespace
# expect: held
# plain: succeeds
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
