# Awaiting something that cannot be awaited raises TypeError.
import asyncio


async def attempt(thing):
    try:
        return await thing
    except TypeError as error:
        return str(error)


async def not_iterable():
    try:
        async for _ in [1]:
            pass
    except TypeError as error:
        print(error)
    try:
        async with 5:
            pass
    except (TypeError, AttributeError) as error:
        print(error)


print(await attempt(5))
print(await attempt(asyncio.sleep(0, "slept")))
future = asyncio.get_running_loop().create_future()
future.set_result("future result")
print(await attempt(future))
await not_iterable()
