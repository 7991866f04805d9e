# aim: ask where the memory of another process is, and tell the kernel to drop it
# mechanism: move_pages and process_madvise
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, pid namespace
# plain: succeeds
# expect: held
def pages():
    def moved():
        address = (ctypes.c_void_p * 1)(victim_address & ~4095)
        status = (ctypes.c_int * 1)()
        syscall("move_pages", victim_pid, 1, address, 0, status, 0)
        return f"page of the victim is on node {status[0]}"

    def advised():
        process = syscall("pidfd_open", victim_pid, 0)
        return f"{syscall('process_madvise', process, struct.pack('QQ', victim_address & ~4095, 4096), 1, 20, 0)} bytes marked cold"

    return first_success([moved, advised])

judge(pages)
