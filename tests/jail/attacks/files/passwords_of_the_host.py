# aim: read the host's accounts and password hashes
# layer: mount namespace, landlock, privileges
# expect: held
# plain: succeeds
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
