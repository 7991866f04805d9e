# A program may start its own event loop with asyncio.run.
import asyncio


async def fetch(name, delay):
    await asyncio.sleep(delay)
    return f"{name} done"


async def main():
    results = await asyncio.gather(fetch("slow", 0.02), fetch("fast", 0.001))
    print(results)
    return len(results)


print(asyncio.run(main()))
print(asyncio.run(fetch("again", 0)))
