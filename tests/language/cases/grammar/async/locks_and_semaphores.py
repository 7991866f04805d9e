# A lock keeps tasks apart, and a semaphore counts them.
import asyncio

running = peak = 0
order = []


async def work(name, semaphore, lock):
    global running, peak
    async with semaphore:
        running += 1
        peak = max(peak, running)
        await asyncio.sleep(0)
        async with lock:
            order.append(name)
            await asyncio.sleep(0)
            order.append(name)
        running -= 1


async def main():
    semaphore, lock = asyncio.Semaphore(2), asyncio.Lock()
    await asyncio.gather(*(work(name, semaphore, lock) for name in "abcd"))


await main()
print(order, running, peak)
