# aim: use the kernel's keyrings, which no namespace but the user's keeps apart
# mechanism: add_key, request_key, keyctl
# source: CVE-2016-0728
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp
# plain: succeeds
# expect: held
judge(lambda: first_success([
    lambda: f"the session's keyring {syscall('keyctl', 0, -3, 0)}",
    lambda: f"key {syscall('add_key', b'user' + bytes(1), b'attack' + bytes(1), b'x', 1, -2)}",
    lambda: passed_the_gate("request_key", b"user\0", b"nonexistent\0", 0, 0, then="ENOKEY"),
]))
