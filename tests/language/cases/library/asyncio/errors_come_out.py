# An exception of a coroutine comes out of asyncio.run and out of a top-level await.
import asyncio


async def fail():
    await asyncio.sleep(0)
    raise LookupError("inside")


try:
    asyncio.run(fail())
except LookupError as error:
    print("outside:", error)
try:
    asyncio.run(5)
except (TypeError, ValueError) as error:
    print(type(error).__name__)
# ---
asyncio.run(fail())
# ---
await fail()
# ---
async def gather_errors():
    await asyncio.gather(fail(), asyncio.sleep(0))


await gather_errors()
# ---
await asyncio.sleep(0, "alive")
