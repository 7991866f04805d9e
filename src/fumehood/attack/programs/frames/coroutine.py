# aim: read the frame of a coroutine
# mechanism: cr_frame
# language: check
# reason: a frame leads to the variables of every caller
# jail: process
# plain: loot

async def task():
    pass


waiting = task()
loot(waiting.cr_frame)
waiting.close()
