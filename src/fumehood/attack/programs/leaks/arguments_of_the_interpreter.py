# aim: learn from the command line and the start of the process where it comes from
# mechanism: /proc/self/cmdline and /proc/PID/cmdline
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: pid namespace, exec
# plain: succeeds
# expect: held
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
