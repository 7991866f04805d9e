# aim: look for the sandbox in the attributes of its event loop
# mechanism: every attribute of the loop, one level deep
# language: run
# reason: the loop holds nothing of the sandbox that code may not have
# jail: process
# plain: none (whether something of fumehood's is found is what is tested)

import asyncio


async def main():
    loop = asyncio.get_running_loop()
    for name in list(vars(loop)) if hasattr(loop, "__dict__") else dir(loop):
        found = getattr(loop, name, None)
        loot(found)
        for inner in ("_policy", "_session", "_deadline", "func", "args"):
            loot(getattr(found, inner, None))


asyncio.run(main())
