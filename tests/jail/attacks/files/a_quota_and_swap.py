# aim: use the machine's disk administration
# layer: seccomp, privileges
# expect: held
# plain: succeeds
judge(lambda: first_success([
    lambda: passed_the_gate("swapon", b"/nonexistent\0", 0, then="ENOENT"),
    lambda: passed_the_gate("acct", b"/nonexistent\0", then="ENOENT"),
]))
