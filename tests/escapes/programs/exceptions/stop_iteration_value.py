# Carry a frame out of a generator in the value of its end.
# mechanism: StopIteration.value
# stopped by: check
# reason: a frame leads to the variables of every caller

def steps():
    return running.gi_frame
    yield


running = steps()
try:
    next(running)
except StopIteration as end:
    loot(end.value)
