# Take the event loop out of a future.
# mechanism: Future.get_loop
# stopped by: view
# reason: code runs on a loop without sockets, processes or threads

import asyncio


async def main():
    loot(asyncio.ensure_future(asyncio.sleep(0)).get_loop())


asyncio.run(main())
