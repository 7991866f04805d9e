# aim: read the frame of a generator
# mechanism: gi_frame
# language: check
# reason: a frame leads to the variables of every caller
# jail: process
# plain: loot

def steps():
    yield


loot(steps().gi_frame)
