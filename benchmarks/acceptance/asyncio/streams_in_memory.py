import asyncio


async def main():
    reader = asyncio.StreamReader()
    reader.feed_data(b"first line\nsecond ")
    print(await reader.readline())

    async def feed():
        await asyncio.sleep(0.005)
        reader.feed_data(b"line\nrest")
        reader.feed_eof()

    task = asyncio.create_task(feed())
    print(await reader.readuntil(b"\n"), await reader.read())
    await task
    try:
        await reader.readexactly(4)
    except asyncio.IncompleteReadError as error:
        print(error)
    names = sorted(task.get_name() for task in asyncio.all_tasks())
    print(len(names), asyncio.current_task() in asyncio.all_tasks())


asyncio.run(main())
