# aim: take the event loop out of a future
# mechanism: Future.get_loop
# language: view
# reason: code runs on a loop without sockets, processes or threads
# jail: process
# plain: loot

import asyncio


async def main():
    loot(asyncio.ensure_future(asyncio.sleep(0)).get_loop())


asyncio.run(main())
