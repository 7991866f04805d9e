# Start a program through the event loop.
# mechanism: loop.subprocess_exec
# stopped by: view
# reason: code runs on a loop without sockets, processes or threads

import asyncio


async def main():
    loot(asyncio.get_running_loop().subprocess_exec)


asyncio.run(main())
