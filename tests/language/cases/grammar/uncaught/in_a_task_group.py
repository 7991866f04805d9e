# Errors of tasks end the program as a group.
import asyncio


async def fail(n):
    raise ValueError(n)


async with asyncio.TaskGroup() as group:
    group.create_task(fail(1))
    group.create_task(fail(2))
