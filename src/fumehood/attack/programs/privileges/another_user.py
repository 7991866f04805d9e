# aim: become root or any other user
# mechanism: the setuid family
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, privileges
# plain: succeeds
# expect: held
def become():
    other = 0 if os.getuid() else 12345
    return first_success([
        lambda: os.setgroups([0]) or "the group of root",
        lambda: os.setresgid(other, other, other) or f"group {other}",
        lambda: os.setresuid(other, other, other) or f"user {other}",
        lambda: os.setuid(other) or f"user {other}",
        lambda: os.setreuid(-1, other) or f"user {other}",
    ])

judge(lambda: in_child(become) or become())
