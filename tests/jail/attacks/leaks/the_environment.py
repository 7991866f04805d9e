# aim: read the host's environment, as it is now and as it was when the process began
# layer: environment, exec
# expect: held
# plain: succeeds
def environment():
    found = canaries_in(repr(dict(os.environ)).encode())
    for entry in ["self", "1"] + [entry for entry in os.listdir("/proc") if entry.isdigit()]:
        try:
            found += canaries_in(read_bytes(f"/proc/{entry}/environ"))
        except OSError:
            continue
    return found

judge(environment)
