# aim: change the host's name
# layer: seccomp, uts namespace, privileges
# expect: held
# plain: succeeds
judge(lambda: syscall("sethostname", b"attacked", 8) or "the host has another name")
