# aim: read the memory of a process of the host
# mechanism: process_vm_readv, /proc/PID/mem, ptrace
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, pid namespace, privileges
# plain: succeeds
# expect: held
def by_the_call():
    room = ctypes.create_string_buffer(64)
    own = struct.pack("QQ", ctypes.addressof(room), 64)
    other = struct.pack("QQ", victim_address, 64)
    syscall("process_vm_readv", victim_pid, own, 1, other, 1, 0)
    return canaries_in(room.raw)

def by_the_file():
    with open(f"/proc/{victim_pid}/mem", "rb", buffering=0) as memory:
        memory.seek(victim_address)
        return canaries_in(memory.read(64))

judge(lambda: first_success([by_the_call, by_the_file]))
