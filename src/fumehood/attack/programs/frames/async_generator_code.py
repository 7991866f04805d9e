# aim: read the code of an asynchronous generator
# mechanism: ag_code
# language: check
# reason: a code object can be replaced by one that no check has seen
# jail: process
# plain: loot

async def steps():
    yield


loot(steps().ag_code)
