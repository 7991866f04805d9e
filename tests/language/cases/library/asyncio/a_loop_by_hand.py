# A loop of one's own: what it says when it is used wrongly, and what it does with what is left over.
import asyncio


def said(call, *args):
    try:
        return call(*args)
    except Exception as error:
        return type(error).__name__, str(error)


async def nothing():
    return None


loop = asyncio.new_event_loop()
print(loop.is_running(), loop.is_closed(), loop.get_debug())
print(loop.get_debug(), loop.get_task_factory(), loop.get_exception_handler())
print(said(loop.call_later, None, print), said(loop.call_at, None, print))

seen = []
loop.set_exception_handler(lambda its, context: seen.append((context["message"], repr(context.get("exception")))))
print(loop.get_exception_handler() is not None)
loop.call_exception_handler({"message": "by hand", "exception": ValueError(3)})


async def cancelled_timers():
    handles = [asyncio.get_running_loop().call_later(50, seen.append, "never") for _ in range(150)]
    for handle in handles:
        handle.cancel()
    asyncio.get_running_loop().call_later(0.001, seen.append, "soon")
    await asyncio.sleep(0.01)
    return len(handles), asyncio.get_running_loop().is_running()


print(loop.run_until_complete(cancelled_timers()), seen)


async def endless():
    try:
        while True:
            yield 1
    finally:
        print("a generator is closed")


kept = endless()


async def one():
    return await kept.__anext__()


print(loop.run_until_complete(one()))
loop.run_until_complete(loop.shutdown_asyncgens())
loop.run_until_complete(loop.shutdown_default_executor())

loop.call_soon(loop.stop)
loop.run_forever()
waiting = loop.create_future()
loop.call_soon(loop.stop)
print(said(loop.run_until_complete, waiting))


async def inside():
    print(said(loop.close))
    other = nothing()
    print(said(loop.run_until_complete, other))
    other.close()
    loop.call_soon_threadsafe(seen.append, "from a thread")
    await asyncio.sleep(0)


loop.run_until_complete(inside())
loop.close()
print(loop.is_closed(), said(loop.call_soon, print), seen[-1])
