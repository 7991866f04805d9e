# aim: take over pid 1 of the sandbox, which no filter holds, by writing to its memory
# mechanism: /proc/1/mem and process_vm_writev
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: privileges, seccomp
# plain: succeeds
# expect: held
def open_memory():
    def by_the_file():
        os.close(os.open("/proc/1/mem", os.O_RDWR))
        return "the memory of pid 1 can be written to"

    def by_the_call():
        room = ctypes.create_string_buffer(8)
        own = struct.pack("QQ", ctypes.addressof(room), 8)
        other = struct.pack("QQ", ctypes.addressof(room), 8)
        return passed_the_gate("process_vm_readv", 1, own, 1, other, 1, 0, then="EFAULT")

    return first_success([by_the_file, by_the_call])

judge(open_memory)
