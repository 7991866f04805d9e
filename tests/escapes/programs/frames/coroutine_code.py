# Read the code of a coroutine.
# mechanism: cr_code
# stopped by: check
# reason: a code object can be replaced by one that no check has seen

async def task():
    pass


waiting = task()
loot(waiting.cr_code)
waiting.close()
