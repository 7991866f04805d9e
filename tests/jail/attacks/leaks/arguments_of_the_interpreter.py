# aim: learn from the command line and the start of the process where it comes from
# layer: pid namespace, exec
# expect: held
# plain: succeeds
# housed: what processes of the container were started with, which says nothing
def arguments():
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                found += canaries_in(read_bytes(f"/proc/{entry}/cmdline"))
            except OSError:
                continue
    return found + canaries_in(repr(getattr(sys, "orig_argv", ())).encode())

judge(arguments)
