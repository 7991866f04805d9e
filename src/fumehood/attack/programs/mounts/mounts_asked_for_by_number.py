# aim: list mounts by the newest calls, which need no /proc
# mechanism: listmount and statmount
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp
# plain: succeeds
# expect: held
def list_mounts():
    request = ctypes.create_string_buffer(struct.pack("IIQQQ", 24, 0, 0xFFFFFFFFFFFFFFFF, 0, 0)[:24] + bytes(8))
    numbers = (ctypes.c_uint64 * 64)()
    count = syscall("listmount", request, numbers, 64, 0)
    return f"{count} mounts"

judge(list_mounts)
