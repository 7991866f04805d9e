# aim: take the selector out of the event loop
# mechanism: loop._selector and loop._ssock
# language: view
# reason: code runs on a loop without sockets, processes or threads
# jail: process
# plain: loot

import asyncio


async def main():
    loop = asyncio.get_running_loop()
    loot(loop._ssock)
    loot(loop._selector)


asyncio.run(main())
