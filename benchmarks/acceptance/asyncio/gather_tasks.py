import asyncio


async def fetch(name, delay):
    await asyncio.sleep(delay)
    return f"{name} after {delay}"


async def main():
    results = await asyncio.gather(fetch("a", 0.03), fetch("b", 0.01), fetch("c", 0.02))
    print(results)
    tasks = [asyncio.create_task(fetch(name, delay)) for name, delay in (("x", 0.03), ("y", 0.005))]
    for done in asyncio.as_completed(tasks):
        print(await done)


if __name__ == "__main__":
    asyncio.run(main())
