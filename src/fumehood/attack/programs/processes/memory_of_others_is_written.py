# aim: write to the memory of a process of the host
# mechanism: process_vm_writev and /proc/PID/mem
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, pid namespace, privileges
# plain: succeeds
# expect: held
def write():
    room = ctypes.create_string_buffer(b"X")
    own = struct.pack("QQ", ctypes.addressof(room), 1)
    other = struct.pack("QQ", victim_address, 1)
    return f"{syscall('process_vm_writev', victim_pid, own, 1, other, 1, 0)} byte was written"

judge(write)
