# A cell may await at its top level.
import asyncio


async def double(n: int) -> int:
    await asyncio.sleep(0)
    return n * 2


x = await double(21)
print(x)
print(await double(1) + await double(2), [await double(n) for n in range(3)])
if await double(1) == 2:
    print(f"in an f-string: {await double(5)}")
await double(50)
