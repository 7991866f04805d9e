# aim: make a timer signal a thread of another process
# mechanism: timer_create with SIGEV_THREAD_ID
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: pid namespace, seccomp
# plain: none (the kernel lets timers signal only the threads of their own process)
# expect: held
def timer():
    event = ctypes.create_string_buffer(struct.pack("Qiii", 0, 10, 4, victim_pid) + bytes(44))
    number = ctypes.c_int()
    syscall("timer_create", 1, event, ctypes.addressof(number))
    return "a timer for the victim"

judge(timer)
