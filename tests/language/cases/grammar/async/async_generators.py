# Async generators send, throw, close and run their finally blocks.
async def echo():
    received = "start"
    try:
        while True:
            try:
                received = yield f"got {received}"
            except ValueError as error:
                received = f"handled {error}"
    finally:
        print("closed")


async def main():
    g = echo()
    print(await g.__anext__())
    print(await g.asend("x"))
    print(await g.athrow(ValueError("bad")))
    await g.aclose()
    print(await anext(g, "over"), [v async for v in aiter(g)])


await main()
