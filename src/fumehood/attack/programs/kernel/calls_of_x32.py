# aim: make system calls by their x32 numbers, which a filter that compares numbers only does not know
# mechanism: system-call numbers with bit 30 set
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp
# plain: none (most kernels are built without x32, as this one may be)
# expect: held | fault crash | fault killed
# arch: x86_64
def by_x32():
    number = _libc.syscall(ctypes.c_long(0x40000000 | 39))
    return f"getpid by x32: {number}" if number == os.getpid() else None

judge(by_x32)
