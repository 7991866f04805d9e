# aim: start a program through the event loop
# mechanism: loop.subprocess_exec
# language: view
# reason: code runs on a loop without sockets, processes or threads
# jail: process
# plain: loot

import asyncio


async def main():
    loot(asyncio.get_running_loop().subprocess_exec)


asyncio.run(main())
