# aim: make a timer signal a thread of another process
# layer: pid namespace, seccomp
# expect: held
# plain: none (the kernel lets timers signal only the threads of their own process)
def timer():
    event = ctypes.create_string_buffer(struct.pack("Qiii", 0, 10, 4, victim_pid) + bytes(44))
    number = ctypes.c_int()
    syscall("timer_create", 1, event, ctypes.addressof(number))
    return "a timer for the victim"

judge(timer)
