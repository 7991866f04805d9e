# Read the code of an asynchronous generator.
# mechanism: ag_code
# stopped by: check
# reason: a code object can be replaced by one that no check has seen

async def steps():
    yield


loot(steps().ag_code)
