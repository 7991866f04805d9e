# aim: find any process by trying every number
# mechanism: kill with signal 0 for every number there is
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: pid namespace, seccomp, landlock
# plain: succeeds
# expect: held
def number():
    family = set()
    for entry in os.listdir("/proc") if os.path.isdir("/proc/self") else ():
        if entry.isdigit():
            family.add(int(entry))
    hit = []
    for pid in range(2, 33000):
        if pid == os.getpid():
            continue
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            continue
        except PermissionError:
            continue
        hit.append(pid)
    # Threads of this process answer too, and whoever else was in the sandbox's own table.
    own = {int(entry) for entry in os.listdir("/proc/self/task")} if os.path.isdir("/proc/self/task") else set()
    strangers = [pid for pid in hit if pid not in own and (pid in (victim_pid, host_pid))]
    return f"processes {strangers}" if strangers else None

judge(number)
