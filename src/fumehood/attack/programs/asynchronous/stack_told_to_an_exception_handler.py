# aim: read file names and source of the host
# mechanism: the exception handler of a loop in debug mode is given the stack of a task
# language: run
# reason: the sandbox's loop leaves the stack out
# jail: process
# plain: loot

import asyncio

told = []


async def child():
    raise ValueError


async def main():
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.append(context))
    asyncio.create_task(child())
    await asyncio.sleep(0.01)


asyncio.run(main(), debug=True)
if any(context.get("source_traceback") for context in told):
    loot("mutated: the host's files are known")
