# Comprehensions may loop asynchronously and await in every part.
import asyncio


async def numbers(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i


async def double(x):
    return x * 2


async def main():
    print([x async for x in numbers(4) if x % 2])
    print({x: await double(x) async for x in numbers(3)}, sorted({x async for x in numbers(2)}))
    print([await double(x) for x in range(3) if await double(x) > 1])
    lazy = (await double(x) async for x in numbers(3))
    print([v async for v in lazy])
    print([[y async for y in numbers(x)] for x in range(3)])


await main()
