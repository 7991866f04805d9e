# aim: get a descriptor for a process of the host, signal it by that and take its descriptors
# layer: pid namespace, seccomp
# expect: held
# plain: succeeds
def handle():
    process = syscall("pidfd_open", victim_pid, 0)
    return first_success([
        lambda: f"descriptor {syscall('pidfd_getfd', process, 0, 0)} was taken",
        lambda: syscall("pidfd_send_signal", process, 10, 0, 0) or "it was signalled",
    ])

judge(handle)
