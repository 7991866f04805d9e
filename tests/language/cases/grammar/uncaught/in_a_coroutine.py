# An error inside an awaited coroutine.
import asyncio


async def inner():
    await asyncio.sleep(0)
    raise ConnectionError("lost")


async def outer():
    try:
        await inner()
    finally:
        print("outer cleans up")


await outer()
