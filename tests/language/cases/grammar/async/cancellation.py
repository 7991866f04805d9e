# Cancelling a task raises at its await, and it may be shielded or refuse.
import asyncio


async def patient(name):
    try:
        await asyncio.sleep(30)
    except asyncio.CancelledError as error:
        print(name, "cancelled", error.args)
        if name == "refuses":
            return "stayed"
        raise


async def main():
    for name in ("agrees", "refuses"):
        task = asyncio.create_task(patient(name))
        await asyncio.sleep(0)
        task.cancel("enough")
        try:
            print(await task)
        except asyncio.CancelledError:
            print("await raised", task.cancelled())


await main()
