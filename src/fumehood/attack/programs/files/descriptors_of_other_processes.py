# aim: reopen what another process, pid 1 above all, has open
# mechanism: /proc/PID/fd of every process
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: pid namespace, privileges, seccomp
# plain: succeeds
# expect: held
def reopen():
    own = str(os.getpid())
    for number in sorted(entry for entry in os.listdir("/proc") if entry.isdigit() and entry != own):
        try:
            entries = os.listdir(f"/proc/{number}/fd")
        except OSError:
            continue
        for entry in entries:
            try:
                path = f"/proc/{number}/fd/{entry}"
                if stat.S_ISREG(os.stat(path).st_mode) or stat.S_ISDIR(os.stat(path).st_mode):
                    os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
                    return f"{path} is {os.readlink(path)}"
            except OSError:
                continue

judge(reopen)
