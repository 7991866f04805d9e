# aim: signal a process of the host by the calls for threads and with forged information
# mechanism: tkill, tgkill, rt_tgsigqueueinfo
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: pid namespace, seccomp, landlock
# plain: succeeds
# expect: held
def threads():
    information = ctypes.create_string_buffer(struct.pack("iii", 10, 0, -1) + bytes(116))
    return first_success([
        lambda: syscall("tkill", victim_pid, 10) or "tkill",
        lambda: syscall("tgkill", victim_pid, victim_pid, 10) or "tgkill",
        lambda: syscall("rt_tgsigqueueinfo", victim_pid, victim_pid, 10, information) or "rt_tgsigqueueinfo",
    ])

judge(threads)
