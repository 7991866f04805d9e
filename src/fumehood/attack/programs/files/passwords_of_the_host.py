# aim: read the host's accounts and password hashes
# mechanism: /etc/shadow and /etc/passwd
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: mount namespace, landlock, privileges
# plain: succeeds
# expect: held
def accounts():
    # An account file with nobody in it but the sandbox's own user tells nothing.
    for path in ("/etc/shadow", "/etc/passwd"):
        try:
            lines = read_bytes(path).decode().splitlines()
        except OSError:
            continue
        if any(line.startswith("root:") for line in lines):
            return f"{path} with {len(lines)} lines"

judge(accounts)
