import asyncio


class Account:
    def __init__(self, balance):
        self.balance, self.lock = balance, asyncio.Lock()

    async def withdraw(self, amount):
        async with self.lock:
            before = self.balance
            await asyncio.sleep(0)
            if before < amount:
                return False
            self.balance = before - amount
            return True


async def main():
    account = Account(100)
    print(await asyncio.gather(*(account.withdraw(30) for _ in range(5))), account.balance)
    started, order = asyncio.Event(), []

    async def wait(name):
        await started.wait()
        order.append(name)

    async with asyncio.TaskGroup() as group:
        for name in "abc":
            group.create_task(wait(name))
        await asyncio.sleep(0)
        started.set()
    print(order)
    limit = asyncio.Semaphore(2)
    peak = running = 0

    async def limited():
        nonlocal peak, running
        async with limit:
            running += 1
            peak = max(peak, running)
            await asyncio.sleep(0.001)
            running -= 1

    await asyncio.gather(*(limited() for _ in range(6)))
    print(peak)


asyncio.run(main())
