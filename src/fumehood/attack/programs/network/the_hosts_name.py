# aim: learn what the host is called
# mechanism: uname and /etc/hostname
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: uts namespace, mount namespace
# plain: succeeds
# expect: held
# programs: fumehood (the name in /etc/hostname is the same for every host)
# without: ipc namespaces
def name():
    try:
        from_file = read_bytes("/etc/hostname").decode().strip()
    except OSError:
        from_file = ""
    own = os.uname().nodename
    return from_file or (own if own not in ("localhost", "fumehood", "lab") else None)

judge(name)
