# aim: change the priority, the processor and the scheduling of a process of the host
# layer: seccomp, pid namespace, privileges
# expect: held
# plain: succeeds
judge(lambda: first_success([
    lambda: os.setpriority(os.PRIO_PROCESS, victim_pid, 5) or "a lower priority for the victim",
    lambda: os.sched_setaffinity(victim_pid, os.sched_getaffinity(0)) or "a processor for the victim",
    lambda: os.setpriority(os.PRIO_PROCESS, 0, -5) or "a higher priority for itself",
    lambda: syscall("sched_setscheduler", 0, 1, struct.pack("i", 1)) or "real-time scheduling",
]))
