# Timeouts cancel what takes too long.
import asyncio


async def slow():
    try:
        await asyncio.sleep(30)
    except asyncio.CancelledError:
        print("cancelled")
        raise
    finally:
        print("cleaned up")


try:
    async with asyncio.timeout(0.01):
        await slow()
except TimeoutError:
    print("timeout")
try:
    await asyncio.wait_for(slow(), 0.01)
except asyncio.TimeoutError as error:
    print(type(error).__name__)
print(await asyncio.wait_for(asyncio.sleep(0, "in time"), 5))
