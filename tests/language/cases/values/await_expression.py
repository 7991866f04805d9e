# The value of a last await is what was awaited.
import asyncio


async def compute():
    await asyncio.sleep(0)
    return {"done": True}


result = await compute()
