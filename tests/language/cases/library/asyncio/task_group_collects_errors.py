# A TaskGroup waits for its tasks and gathers their errors in an exception group.
import asyncio


async def step(n):
    await asyncio.sleep(0)
    if n < 0:
        raise ValueError(f"negative {n}")
    return n * n


async def main():
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(step(n)) for n in range(4)]
    print([task.result() for task in tasks])
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(step(-1))
            group.create_task(step(-2))
    except* ValueError as errors:
        print(sorted(str(error) for error in errors.exceptions))
    return "done"


result = asyncio.run(main())
