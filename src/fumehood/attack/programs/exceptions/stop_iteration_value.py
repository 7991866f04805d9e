# aim: carry a frame out of a generator in the value of its end
# mechanism: StopIteration.value
# language: check
# reason: a frame leads to the variables of every caller
# jail: process
# plain: loot

def steps():
    return running.gi_frame
    yield


running = steps()
try:
    next(running)
except StopIteration as end:
    loot(end.value)
