# aim: leave a task behind that runs in the next cell
# mechanism: create_task without awaiting it
# language: run
# reason: what a cell leaves behind gets nothing that the cell did not have
# jail: process
# plain: none (await outside a function is a syntax error in plain Python)

import asyncio


async def later():
    await asyncio.sleep(0)
    loot(globals().get("__builtins__", {}).get("__import__"))


task = asyncio.ensure_future(later())
await asyncio.sleep(0)
# ---
import asyncio

await asyncio.sleep(0.01)
