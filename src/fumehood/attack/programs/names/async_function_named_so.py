# aim: define an asynchronous function under a forbidden name
# mechanism: the name of an asynchronous function definition
# language: check
# reason: forbidden names are refused wherever a name can be bound
# jail: process
# plain: none (binding the name to a coroutine function has no effect outside a guarded namespace)

async def __builtins__():
    pass
