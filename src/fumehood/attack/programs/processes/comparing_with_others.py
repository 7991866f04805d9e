# aim: compare kernel objects with those of another process
# mechanism: kcmp
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, pid namespace
# plain: succeeds
# expect: held
judge(lambda: first_success([lambda pid=pid: f"compared with {pid}: {syscall('kcmp', os.getpid(), pid, 1, 0, 0)}" for pid in (victim_pid, 1)]))
