# aim: signal a process of the host by the calls for threads and with forged information
# layer: pid namespace, seccomp, landlock
# expect: held
# plain: succeeds
def threads():
    information = ctypes.create_string_buffer(struct.pack("iii", 10, 0, -1) + bytes(116))
    return first_success([
        lambda: syscall("tkill", victim_pid, 10) or "tkill",
        lambda: syscall("tgkill", victim_pid, victim_pid, 10) or "tgkill",
        lambda: syscall("rt_tgsigqueueinfo", victim_pid, victim_pid, 10, information) or "rt_tgsigqueueinfo",
    ])

judge(threads)
