# Coroutines close over variables, and nonlocal works between tasks.
import asyncio


def counter():
    n = 0

    async def bump():
        nonlocal n
        before = n
        await asyncio.sleep(0)
        n = before + 1
        return n

    return bump


async def main():
    bump = counter()
    print(await bump(), await bump())
    print(await asyncio.gather(bump(), bump(), bump()))
    print([await f() for f in [counter() for _ in range(2)]])


asyncio.run(main())
