# aim: schedule a coroutine while no loop runs, and take the loop that asyncio finds for it
# mechanism: without a running loop asyncio asks the policy, which makes a real loop
# language: view
# reason: code runs on a loop without sockets, processes or threads
# jail: process
# plain: loot
# python: 3.13 and older

import asyncio


async def nothing():
    pass


waiting = nothing()
try:
    task = asyncio.ensure_future(waiting)
    loot(task.get_loop())
    task.cancel()
finally:
    waiting.close()
