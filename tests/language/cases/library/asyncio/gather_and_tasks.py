# Coroutines run together with gather and create_task and finish in the order of their waits.
import asyncio


async def fetch(name, turns):
    for turn in range(turns):
        print(name, turn)
        await asyncio.sleep(0)
    if name == "bad":
        raise ValueError(name)
    return name.upper()


async def main():
    results = await asyncio.gather(fetch("a", 2), fetch("b", 1), fetch("bad", 1), return_exceptions=True)
    print(results)
    task = asyncio.create_task(fetch("c", 1), name="third")
    print(task.done(), task.get_name())
    value = await task
    print(task.done(), task.result(), task.cancelled())
    return value


print(asyncio.run(main()))
