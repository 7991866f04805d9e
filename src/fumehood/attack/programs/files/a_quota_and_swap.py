# aim: use the machine's disk administration
# mechanism: swapon, acct and quotactl
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, privileges
# plain: succeeds
# expect: held
judge(lambda: first_success([
    lambda: passed_the_gate("swapon", b"/nonexistent\0", 0, then="ENOENT"),
    lambda: passed_the_gate("acct", b"/nonexistent\0", then="ENOENT"),
]))
