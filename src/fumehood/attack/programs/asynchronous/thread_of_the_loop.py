# aim: run a function in a thread of the event loop
# mechanism: loop.run_in_executor
# language: view
# reason: code runs on a loop without sockets, processes or threads
# jail: process
# plain: loot

import asyncio


async def main():
    await asyncio.get_running_loop().run_in_executor(None, print)
    loot("mutated: a thread was started")


asyncio.run(main())
