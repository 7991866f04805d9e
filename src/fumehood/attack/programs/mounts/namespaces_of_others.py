# aim: enter the namespaces of another process
# mechanism: setns with files of /proc/PID/ns
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, pid namespace, privileges
# plain: succeeds
# expect: held
def enter():
    own = {kind: os.readlink(f"/proc/self/ns/{kind}") for kind in ("mnt", "net", "pid", "user", "ipc")}
    for number in [str(victim_pid), "1"] + [entry for entry in os.listdir("/proc") if entry.isdigit()]:
        for kind in own:
            try:
                descriptor = os.open(f"/proc/{number}/ns/{kind}", os.O_RDONLY)
                syscall("setns", descriptor, 0)
            except OSError as error:
                refusal = error
            else:
                return f"{kind} of {number}"
    raise refusal

judge(lambda: in_child(enter) or enter())
