# aim: take the event loop, which opens sockets and starts programs
# mechanism: asyncio.get_running_loop
# language: view
# reason: code runs on a loop without sockets, processes or threads
# jail: process
# plain: loot

import asyncio


async def main():
    loot(asyncio.get_running_loop())


asyncio.run(main())
