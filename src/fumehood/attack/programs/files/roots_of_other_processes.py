# aim: reach the host's files through the root or working directory of another process
# mechanism: /proc/PID/root and /proc/PID/cwd
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: pid namespace, mount namespace, privileges
# plain: succeeds
# expect: held
def doors():
    numbers = [entry for entry in os.listdir("/proc") if entry.isdigit()] + [str(victim_pid), str(host_pid), "1", "self", "thread-self"]
    for number in numbers:
        for door in ("root", "cwd"):
            yield lambda path=f"/proc/{number}/{door}{secret_path}": read_bytes(path).decode()

judge(lambda: first_success(doors()))
