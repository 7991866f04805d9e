import asyncio


async def slow():
    try:
        await asyncio.sleep(10)
    except asyncio.CancelledError:
        print("cancelled inside")
        raise


async def main():
    try:
        await asyncio.wait_for(slow(), timeout=0.01)
    except asyncio.TimeoutError:
        print("timed out")
    async with asyncio.timeout(5) as scope:
        await asyncio.sleep(0)
    print(scope.expired())
    task = asyncio.create_task(slow())
    done, pending = await asyncio.wait({task}, timeout=0.01)
    print(len(done), len(pending))
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        print("awaited", task.cancelled())
    await asyncio.wait_for(asyncio.shield(asyncio.sleep(0, "shielded")), 1)


asyncio.run(main())
