# aim: read the host's environment, as it is now and as it was when the process began
# mechanism: os.environ and /proc/PID/environ
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: environment, exec
# plain: succeeds
# expect: held
def environment():
    found = canaries_in(repr(dict(os.environ)).encode())
    for entry in ["self", "1"] + [entry for entry in os.listdir("/proc") if entry.isdigit()]:
        try:
            found += canaries_in(read_bytes(f"/proc/{entry}/environ"))
        except OSError:
            continue
    return found

judge(environment)
