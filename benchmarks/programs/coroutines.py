"""Coroutines, under asyncio and driven by hand with `send`."""

import asyncio


class Reply:
    """An awaitable that hands a question to whoever drives the coroutine."""

    def __init__(self, question):
        self.question = question

    def __await__(self):
        answer = yield self.question
        return answer


async def ask(question):
    return await Reply(question)


async def conversation(count):
    total = 0
    for number in range(count):
        total += await ask(number)
    return total


def drive(coroutine):
    """Answers every question with its square until the coroutine returns."""
    question = coroutine.send(None)
    while True:
        try:
            question = coroutine.send(question * question % 97)
        except StopIteration as stop:
            return stop.value


async def produce(queue, count):
    for number in range(count):
        await queue.put(number)
    await queue.put(None)


async def consume(queue, lock, seen):
    while (item := await queue.get()) is not None:
        async with lock:
            seen.append(item * 3 % 11)


async def ticks(count):
    for number in range(count):
        await asyncio.sleep(0)
        yield number


async def tick_total(count):
    return sum([number async for number in ticks(count)])


async def workshop(count):
    queue, lock, seen = asyncio.Queue(maxsize=8), asyncio.Lock(), []
    async with asyncio.TaskGroup() as group:
        group.create_task(produce(queue, count))
        group.create_task(consume(queue, lock, seen))
    totals = await asyncio.gather(*(tick_total(count // 20) for _ in range(10)))
    return sum(seen), totals


drive(conversation(150_000)), asyncio.run(workshop(5_000))
