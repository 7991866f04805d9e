# The await, async for and async with statements work at the top level of a cell and its names are kept.
import asyncio


async def answer(value):
    await asyncio.sleep(0)
    return value * 2


class Door:
    async def __aenter__(self):
        print("open")
        return self

    async def __aexit__(self, *details):
        print("shut")


first = await answer(21)
print(first)
# ---
values = [await answer(n) for n in range(3)]
async with Door() as door:
    print(type(door).__name__, values)


async def letters():
    for letter in "abc":
        yield letter


async for letter in letters():
    print(letter)
found = [x async for x in letters() if x != "b"]
# ---
first + sum(values), letter, found, await answer("x")
