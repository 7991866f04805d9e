# aim: become root of a namespace of one's own, where most kernel holes begin
# mechanism: unshare
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp
# plain: succeeds
# expect: held
KINDS = {"user": 0x10000000, "mount": 0x20000, "pid": 0x20000000, "net": 0x40000000, "ipc": 0x8000000, "uts": 0x4000000, "cgroup": 0x2000000, "time": 0x80}

def one_of_each():
    for name, flag in KINDS.items():
        yield lambda name=name, flag=flag: in_child(lambda: syscall("unshare", flag) or f"a new {name} namespace")

judge(lambda: first_success(one_of_each()))
