# aim: ask a task for its coroutine and that for its frame
# mechanism: get_coro, then cr_frame
# language: check
# reason: a frame leads to the variables of every caller
# jail: process
# plain: loot

import asyncio


async def main():
    loot(asyncio.current_task().get_coro().cr_frame)


asyncio.run(main())
