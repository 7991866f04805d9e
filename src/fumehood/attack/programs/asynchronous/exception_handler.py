# aim: let the loop hand objects of its own to a handler
# mechanism: loop.set_exception_handler is called with the loop
# language: view
# reason: code runs on a loop without sockets, processes or threads
# jail: process
# plain: loot

import asyncio


async def main():
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda loop, context: (loot(loop), loot(context)))
    loop.call_soon(lambda: 1 / 0)
    await asyncio.sleep(0)
    await asyncio.sleep(0)


asyncio.run(main())
