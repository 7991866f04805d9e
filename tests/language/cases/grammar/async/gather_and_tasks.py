# Tasks run concurrently, in the order in which they become ready.
import asyncio

log = []


async def worker(name, steps):
    for step in range(steps):
        log.append(f"{name}{step}")
        await asyncio.sleep(0)
    return name


async def main():
    task = asyncio.create_task(worker("t", 2), name="mine")
    results = await asyncio.gather(worker("a", 3), worker("b", 1))
    return results, await task, task.done(), task.get_name()


print(await main())
print(log)
