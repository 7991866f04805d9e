# Waiting is cut short by wait_for, timeout and cancel, and the cancelled code cleans up.
import asyncio


async def forever():
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        print("cancelled")
        raise
    finally:
        print("cleaned")


async def main():
    try:
        await asyncio.wait_for(forever(), timeout=0.01)
    except asyncio.TimeoutError as error:
        print("timeout", type(error) is TimeoutError)
    try:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(60)
    except TimeoutError:
        print("timeout again")
    task = asyncio.create_task(forever())
    await asyncio.sleep(0)
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        print("awaited a cancelled task")
    done, pending = await asyncio.wait([asyncio.create_task(asyncio.sleep(0, "x"))])
    return [t.result() for t in done], len(pending), await asyncio.shield(asyncio.sleep(0, 5))


asyncio.run(main())
