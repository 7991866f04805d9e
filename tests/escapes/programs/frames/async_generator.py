# Read the frame of an asynchronous generator.
# mechanism: ag_frame
# stopped by: check
# reason: a frame leads to the variables of every caller

async def steps():
    yield


loot(steps().ag_frame)
