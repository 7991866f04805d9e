# A task group waits for its tasks and raises their errors as a group.
import asyncio


async def job(n):
    await asyncio.sleep(0)
    if n < 0:
        raise ValueError(n)
    return n * n


async with asyncio.TaskGroup() as group:
    tasks = [group.create_task(job(n)) for n in range(4)]
print([task.result() for task in tasks])
try:
    async with asyncio.TaskGroup() as group:
        group.create_task(job(-1))
        group.create_task(job(-2))
        await asyncio.sleep(1)
except* ValueError as errors:
    print(sorted(str(e) for e in errors.exceptions))
