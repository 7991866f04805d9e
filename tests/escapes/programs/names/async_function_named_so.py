# Define an asynchronous function under a forbidden name.
# mechanism: the name of an asynchronous function definition
# stopped by: check
# reason: forbidden names are refused wherever a name can be bound
# control: none (binding the name to a coroutine function has no effect outside a guarded namespace)

async def __builtins__():
    pass
