import asyncio
import time
import threading


def blocking(number):
    time.sleep(0.02)
    return number * 2, threading.current_thread() is threading.main_thread()


async def main():
    started = time.perf_counter()
    results = await asyncio.gather(*(asyncio.to_thread(blocking, number) for number in range(4)))
    print(results, time.perf_counter() - started < 5)
    loop = asyncio.get_running_loop()
    print(await loop.run_in_executor(None, sum, [1, 2, 3]))


asyncio.run(main())
