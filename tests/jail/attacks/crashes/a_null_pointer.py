# aim: crash the interpreter
# layer: keeper
# expect: fault crash
# plain: crashes
ctypes.string_at(0)
