# aim: read the code of a coroutine
# mechanism: cr_code
# language: check
# reason: a code object can be replaced by one that no check has seen
# jail: process
# plain: loot

async def task():
    pass


waiting = task()
loot(waiting.cr_code)
waiting.close()
