import asyncio
import warnings


async def forgotten():
    return 1


async def main():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        forgotten()
        print([str(warning.message) for warning in caught])
    print(asyncio.iscoroutinefunction(forgotten), asyncio.isfuture(asyncio.get_running_loop().create_future()))
    try:
        asyncio.run(asyncio.sleep(0))
    except RuntimeError as error:
        print(error)


asyncio.run(main())
