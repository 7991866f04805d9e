# aim: be traced by the parent, so that every signal stops this process and puzzles the init
# mechanism: PTRACE_TRACEME
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp
# plain: succeeds
# expect: held
judge(lambda: in_child(lambda: syscall("ptrace", 0, 0, 0, 0) or "traced by the parent") or (syscall("ptrace", 0x4206, -1, 0, 0) and None))
