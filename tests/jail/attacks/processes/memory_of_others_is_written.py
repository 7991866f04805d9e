# aim: write to the memory of a process of the host
# layer: seccomp, pid namespace, privileges
# expect: held
# plain: succeeds
def write():
    room = ctypes.create_string_buffer(b"X")
    own = struct.pack("QQ", ctypes.addressof(room), 1)
    other = struct.pack("QQ", victim_address, 1)
    return f"{syscall('process_vm_writev', victim_pid, own, 1, other, 1, 0)} byte was written"

judge(write)
