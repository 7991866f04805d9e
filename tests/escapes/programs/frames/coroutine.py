# Read the frame of a coroutine.
# mechanism: cr_frame
# stopped by: check
# reason: a frame leads to the variables of every caller

async def task():
    pass


waiting = task()
loot(waiting.cr_frame)
waiting.close()
