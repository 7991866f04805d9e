# Async context managers from generators and an AsyncExitStack.
import asyncio
from contextlib import AsyncExitStack, aclosing, asynccontextmanager


@asynccontextmanager
async def session(name):
    print("connect", name)
    await asyncio.sleep(0)
    try:
        yield name
    finally:
        print("disconnect", name)


async def numbers():
    try:
        for n in range(5):
            yield n
    finally:
        print("generator closed")


async def main():
    async with session("a") as a, session("b") as b:
        print(a, b)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(session("c"))
        stack.callback(print, "done")
    async with aclosing(numbers()) as stream:
        async for n in stream:
            if n == 2:
                break
    return n


asyncio.run(main())
