# Read the frame of a generator.
# mechanism: gi_frame
# stopped by: check
# reason: a frame leads to the variables of every caller

def steps():
    yield


loot(steps().gi_frame)
