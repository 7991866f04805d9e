# Take the event loop, which opens sockets and starts programs.
# mechanism: asyncio.get_running_loop
# stopped by: view
# reason: code runs on a loop without sockets, processes or threads

import asyncio


async def main():
    loot(asyncio.get_running_loop())


asyncio.run(main())
