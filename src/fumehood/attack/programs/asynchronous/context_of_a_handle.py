# aim: read the context variables of the host through a scheduled call
# mechanism: a handle keeps a copy of the context it was made in
# language: run
# reason: what the host keeps in context variables is not for the code it runs
# jail: process
# plain: loot

import asyncio


async def main():
    loot(list(asyncio.get_running_loop().call_soon(print)._context.values()))


asyncio.run(main())
