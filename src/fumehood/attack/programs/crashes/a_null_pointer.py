# aim: crash the interpreter
# mechanism: ctypes.string_at(0)
# language: check
# reason: the policy does not authorize ctypes
# jail: init
# plain: crashes
# expect: fault crash
ctypes.string_at(0)
