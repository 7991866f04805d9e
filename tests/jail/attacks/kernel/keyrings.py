# aim: use the kernel's keyrings, which no namespace but the user's keeps apart
# layer: seccomp
# expect: held
# plain: succeeds
judge(lambda: first_success([
    lambda: f"the session's keyring {syscall('keyctl', 0, -3, 0)}",
    lambda: f"key {syscall('add_key', b'user' + bytes(1), b'attack' + bytes(1), b'x', 1, -2)}",
    lambda: passed_the_gate("request_key", b"user\0", b"nonexistent\0", 0, 0, then="ENOKEY"),
]))
