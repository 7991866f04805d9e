# aim: put another filter on top whose answers hide refusals, or ask a process for the answers
# mechanism: prctl and seccomp with a filter that asks a listener
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp
# plain: succeeds
# expect: held
def install():
    # One instruction: allow everything. SECCOMP_FILTER_FLAG_NEW_LISTENER makes a descriptor that hears of every call.
    code = ctypes.create_string_buffer(struct.pack("<HBBI", 6, 0, 0, 0x7FFF0000))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", 1, ctypes.addressof(code)))
    _libc.prctl(38, 1, 0, 0, 0)
    return f"a listener, descriptor {syscall('seccomp', 1, 8, program)}"

judge(lambda: in_child(install) or install())
