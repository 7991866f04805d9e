# aim: compare kernel objects with those of another process
# layer: seccomp, pid namespace
# expect: held
# plain: succeeds
judge(lambda: first_success([lambda pid=pid: f"compared with {pid}: {syscall('kcmp', os.getpid(), pid, 1, 0, 0)}" for pid in (victim_pid, 1)]))
