import asyncio
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor


def cube(number):
    return number**3


async def main():
    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(2) as pool:
        print(await asyncio.gather(*(loop.run_in_executor(pool, cube, n) for n in range(4))))
    with ProcessPoolExecutor(2) as pool:
        print(await asyncio.gather(*(loop.run_in_executor(pool, cube, n) for n in range(4, 7))))


if __name__ == "__main__":
    asyncio.run(main())
