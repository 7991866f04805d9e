# aim: find that a set-user-id program would still gain rights
# layer: privileges
# expect: held
# plain: succeeds
judge(lambda: "no_new_privs is not set" if _libc.prctl(39, 0, 0, 0, 0) != 1 else None)
