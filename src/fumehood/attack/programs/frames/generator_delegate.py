# aim: read the frame of the generator that another one delegates to
# mechanism: gi_yieldfrom, then gi_frame by getattr
# language: builtins
# reason: a frame leads to the variables of every caller
# jail: process
# plain: loot

def inner():
    yield


def outer():
    yield from inner()


running = outer()
next(running)
loot(getattr(getattr(running, "gi_yield" + "from"), "gi_" + "frame"))
