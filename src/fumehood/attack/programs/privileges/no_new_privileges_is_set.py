# aim: find that a set-user-id program would still gain rights
# mechanism: PR_GET_NO_NEW_PRIVS
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: privileges
# plain: succeeds
# expect: held
judge(lambda: "no_new_privs is not set" if _libc.prctl(39, 0, 0, 0, 0) != 1 else None)
