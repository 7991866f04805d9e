# Producer and consumer share a queue, and an event wakes a waiter.
import asyncio


async def producer(queue, items):
    for item in items:
        await queue.put(item)
        print("put", item)
    await queue.put(None)


async def consumer(queue, done):
    total = 0
    while (item := await queue.get()) is not None:
        print("got", item)
        total += item
    done.set()
    return total


async def main():
    queue, done = asyncio.Queue(maxsize=1), asyncio.Event()
    _, total = await asyncio.gather(producer(queue, [1, 2, 3]), consumer(queue, done))
    await done.wait()
    return total


print(await main())
