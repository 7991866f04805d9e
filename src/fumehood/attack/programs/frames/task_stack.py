# aim: ask the running task for its frames
# mechanism: asyncio.Task.get_stack
# language: guard
# reason: a frame leads to the variables of every caller
# jail: process
# plain: loot

import asyncio


async def main():
    loot(asyncio.current_task().get_stack())


asyncio.run(main())
