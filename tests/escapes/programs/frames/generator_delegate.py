# Read the frame of the generator that another one delegates to.
# mechanism: gi_yieldfrom, then gi_frame by getattr
# stopped by: builtins
# reason: a frame leads to the variables of every caller

def inner():
    yield


def outer():
    yield from inner()


running = outer()
next(running)
loot(getattr(getattr(running, "gi_yield" + "from"), "gi_" + "frame"))
