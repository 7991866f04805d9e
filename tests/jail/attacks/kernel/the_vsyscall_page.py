# aim: enter the kernel by the page of old that every process has
# layer: seccomp
# expect: held | fault crash | fault killed
# needs: mount namespace
# plain: none (it answers nothing but the time)
# arch: x86_64
address = 0xFFFFFFFFFF600000  # gettimeofday; time is 0x400 further on
told = in_child(lambda: ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_void_p)(address + 0x400)(None))
"held: it tells the time" if told is None or abs(int(told) - time.time()) < 5 else f"ESCAPED: {told}"
