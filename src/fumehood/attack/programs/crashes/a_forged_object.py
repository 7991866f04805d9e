# aim: crash the interpreter by changing the reference count of None
# mechanism: a write to the reference count of None by ctypes
# language: check
# reason: the policy does not authorize ctypes
# jail: init
# plain: crashes
# expect: fault crash | fault killed
ctypes.c_ssize_t.from_address(id(int)).value = 1
ctypes.c_void_p.from_address(id(int) + 8).value = 0x41414141
int("1") + type(int).__call__(int, "2")
