# aim: read the frame of an asynchronous generator
# mechanism: ag_frame
# language: check
# reason: a frame leads to the variables of every caller
# jail: process
# plain: loot

async def steps():
    yield


loot(steps().ag_frame)
