# An error leaves asyncio.run unchanged.
import asyncio


async def main():
    await asyncio.sleep(0)
    return {}["missing"]


asyncio.run(main())
