# aim: hold the interpreter lock for ever, so that no other thread of the runner can act
# layer: clock, keeper
# expect: fault timeout
# plain: hangs
# limits: cell_seconds=1
ctypes.PyDLL(None).sleep(60)
