# Gather raises the first error or returns errors as results.
import asyncio


async def fail(text):
    await asyncio.sleep(0)
    raise ValueError(text)


async def fine():
    return "fine"


print([repr(r) for r in await asyncio.gather(fine(), fail("x"), fine(), return_exceptions=True)])
try:
    await asyncio.gather(fail("first"), fine())
except ValueError as error:
    print("raised", error)
