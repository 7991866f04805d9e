import asyncio
import contextlib


async def countdown(start):
    try:
        while start:
            yield start
            start -= 1
            await asyncio.sleep(0)
    finally:
        print("generator closed")


@contextlib.asynccontextmanager
async def connection(name):
    print("open", name)
    try:
        yield name.upper()
    finally:
        print("close", name)


class Ticker:
    def __init__(self, ticks):
        self.ticks = iter(ticks)

    def __aiter__(self):
        return self

    async def __anext__(self):
        try:
            return next(self.ticks)
        except StopIteration:
            raise StopAsyncIteration from None


async def main():
    print([n async for n in countdown(3) if n != 2])
    async with connection("db") as db:
        print(db)
    async for tick in Ticker("xy"):
        print(tick)
    async with contextlib.aclosing(countdown(5)) as numbers:
        async for number in numbers:
            if number < 5:
                break


asyncio.run(main())
