# aim: learn what the host is called
# layer: uts namespace, mount namespace
# expect: held
# without: ipc namespaces
# plain: succeeds
def name():
    try:
        from_file = read_bytes("/etc/hostname").decode().strip()
    except OSError:
        from_file = ""
    own = os.uname().nodename
    return from_file or (own if own not in ("localhost", "fumehood", "lab") else None)

judge(name)
