# aim: change a class of threading or asyncio, found through the event loop
# mechanism: type() of what the loop keeps
# language: run
# reason: library classes are shared by every session and by the host
# jail: process
# plain: none (the loop is fumehood's own)

import asyncio


async def main():
    loop = asyncio.get_running_loop()
    for name in list(vars(loop)):
        try:
            type(getattr(loop, name)).escaped = True
        except TypeError:
            pass
    handle = loop.call_soon(print, "")
    type(handle).escaped = True
    type(loop).escaped = True


asyncio.run(main())
# --- second executor
import asyncio


async def main():
    loop = asyncio.get_running_loop()
    handle = loop.call_soon(print, "")
    for thing in (loop, handle, *vars(loop).values()):
        if hasattr(thing, "escaped"):
            loot(f"mutated: {type(thing).__name__}")


asyncio.run(main())
