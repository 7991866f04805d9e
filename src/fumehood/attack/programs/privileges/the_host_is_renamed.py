# aim: change the host's name
# mechanism: sethostname
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, uts namespace, privileges
# plain: succeeds
# expect: held
judge(lambda: syscall("sethostname", b"attacked", 8) or "the host has another name")
