# Futures are set by callbacks of the running loop, and tasks finish as they complete.
import asyncio


async def work(name, turns):
    for _ in range(turns):
        await asyncio.sleep(0)
    return name


async def main():
    loop = asyncio.get_running_loop()
    future = loop.create_future()
    loop.call_soon(future.set_result, "set")
    print(await future, future.done())
    tasks = [asyncio.create_task(work(name, turns)) for name, turns in (("slow", 9), ("quick", 1))]
    print([await task for task in asyncio.as_completed(tasks)])
    tasks[0].add_done_callback(lambda task: print("callback", task.result()))
    await asyncio.sleep(0)
    failing = loop.create_future()
    failing.set_exception(KeyError("bad"))
    try:
        await failing
    except KeyError as error:
        print("raised", error)
    done, pending = await asyncio.wait(
        [asyncio.ensure_future(work("first", 0)), asyncio.ensure_future(work("last", 50))],
        return_when=asyncio.FIRST_COMPLETED,
    )
    print([task.result() for task in done], len(pending))
    for task in pending:
        task.cancel()
    return asyncio.iscoroutinefunction(work), asyncio.current_task() is not None


asyncio.run(main())
