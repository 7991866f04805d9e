# aim: hold the interpreter lock for ever, so that no other thread of the runner can act
# mechanism: ctypes.PyDLL(None).pause
# language: check
# reason: the policy does not authorize ctypes
# jail: clock, init
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=1
ctypes.PyDLL(None).sleep(60)
