import asyncio


async def fail(kind, message):
    await asyncio.sleep(0)
    raise kind(message)


async def main():
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(fail(ValueError, "one"))
            group.create_task(fail(KeyError, "two"))
    except* ValueError as caught:
        print("values:", [str(error) for error in caught.exceptions])
    except* KeyError as caught:
        print("keys:", [str(error) for error in caught.exceptions])
    print(await asyncio.gather(fail(OSError, "x"), asyncio.sleep(0, "fine"), return_exceptions=True))
    await fail(RuntimeError, "the end")


asyncio.run(main())
