# aim: enter the kernel by the page of old that every process has
# mechanism: a jump to the page at its fixed address
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp
# plain: none (it answers nothing but the time)
# expect: held | fault crash | fault killed
# arch: x86_64
# needs: mount namespace
address = 0xFFFFFFFFFF600000  # gettimeofday; time is 0x400 further on
told = in_child(lambda: ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_void_p)(address + 0x400)(None))
"held: it tells the time" if told is None or abs(int(told) - time.time()) < 5 else f"ESCAPED: {told}"
