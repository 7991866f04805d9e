import asyncio

loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)
calls = []
loop.call_later(0.02, calls.append, "later")
loop.call_soon(calls.append, "soon")
loop.call_later(0.04, loop.stop)
loop.run_forever()
print(calls)
future = loop.create_future()
loop.call_soon_threadsafe(future.set_result, 42)
print(loop.run_until_complete(future))


async def double(n):
    return n * 2


print(loop.run_until_complete(asyncio.gather(double(1), double(2))))
loop.close()
print(loop.is_closed())
with asyncio.Runner() as runner:
    print(runner.run(double(21)), runner.get_loop().is_running())
try:
    asyncio.get_running_loop()
except RuntimeError as error:
    print(error)
