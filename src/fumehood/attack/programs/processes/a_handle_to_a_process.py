# aim: get a descriptor for a process of the host, signal it by that and take its descriptors
# mechanism: pidfd_open, pidfd_send_signal, pidfd_getfd
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: pid namespace, seccomp
# plain: succeeds
# expect: held
def handle():
    process = syscall("pidfd_open", victim_pid, 0)
    return first_success([
        lambda: f"descriptor {syscall('pidfd_getfd', process, 0, 0)} was taken",
        lambda: syscall("pidfd_send_signal", process, 10, 0, 0) or "it was signalled",
    ])

judge(handle)
