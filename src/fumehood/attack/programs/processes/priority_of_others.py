# aim: change the priority, the processor and the scheduling of a process of the host
# mechanism: setpriority, sched_setaffinity, sched_setscheduler
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, pid namespace, privileges
# plain: succeeds
# expect: held
judge(lambda: first_success([
    lambda: os.setpriority(os.PRIO_PROCESS, victim_pid, 5) or "a lower priority for the victim",
    lambda: os.sched_setaffinity(victim_pid, os.sched_getaffinity(0)) or "a processor for the victim",
    lambda: os.setpriority(os.PRIO_PROCESS, 0, -5) or "a higher priority for itself",
    lambda: syscall("sched_setscheduler", 0, 1, struct.pack("i", 1)) or "real-time scheduling",
]))
