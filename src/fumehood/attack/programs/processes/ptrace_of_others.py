# aim: trace a process of the host, and the init
# mechanism: PTRACE_ATTACH and PTRACE_SEIZE
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, pid namespace, privileges
# plain: succeeds
# expect: held
def trace():
    def attach(pid):
        syscall("ptrace", 0x4206, pid, 0, 0)  # PTRACE_SEIZE stops nobody
        return f"{pid} is traced"

    return first_success([lambda pid=pid: attach(pid) for pid in (victim_pid, 1)])

judge(lambda: in_child(trace) or trace())
