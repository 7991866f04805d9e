# Queues, locks, semaphores and events coordinate coroutines.
import asyncio


async def producer(queue):
    for n in range(3):
        await queue.put(n)
        print("put", n)
    await queue.put(None)


async def consumer(queue, seen):
    while (item := await queue.get()) is not None:
        seen.append(item)
        queue.task_done()


async def worker(name, semaphore, active):
    async with semaphore:
        active.append(name)
        await asyncio.sleep(0)
        print(name, "with", len(active))
        active.remove(name)


async def main():
    queue, seen = asyncio.Queue(maxsize=1), []
    await asyncio.gather(producer(queue), consumer(queue, seen))
    semaphore, active = asyncio.Semaphore(2), []
    await asyncio.gather(*(worker(n, semaphore, active) for n in "abcd"))
    event = asyncio.Event()

    async def waiter():
        await event.wait()
        return "woken"

    task = asyncio.create_task(waiter())
    await asyncio.sleep(0)
    event.set()
    lock = asyncio.Lock()
    async with lock:
        print(lock.locked())
    return seen, await task, lock.locked()


asyncio.run(main())
