# aim: learn file handles, which a helper with more rights could open
# mechanism: name_to_handle_at
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp
# plain: succeeds
# expect: held
def name():
    handle = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + bytes(128))
    number = ctypes.c_int()
    syscall("name_to_handle_at", -100, b"/", handle, ctypes.addressof(number), 0)
    return f"a handle of {handle.raw[:16].hex()}"

judge(name)
