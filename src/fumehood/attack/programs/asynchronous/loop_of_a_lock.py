# aim: take the event loop out of a private attribute
# mechanism: Lock._get_loop and Future._loop
# language: view
# reason: code runs on a loop without sockets, processes or threads
# jail: process
# plain: loot

import asyncio


async def main():
    loot(asyncio.current_task()._loop)
    loot(asyncio.Lock()._get_loop())


asyncio.run(main())
