# aim: read the host's accounts and password hashes
# mechanism: /etc/shadow and /etc/passwd
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: mount namespace, landlock, privileges
# plain: succeeds
# expect: held
def accounts():
    # The sandbox's own file has two accounts, root and user; the host's has more.
    for path in ("/etc/shadow", "/etc/passwd"):
        try:
            lines = read_bytes(path).decode().splitlines()
        except OSError:
            continue
        if {line.partition(":")[0] for line in lines} - {"root", "user"}:
            return f"{path} with {len(lines)} lines"

judge(accounts)
