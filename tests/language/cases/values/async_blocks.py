# The value is found in async for and async with at the top level.
# value: 'c!'
async def letters():
    for letter in "abc":
        yield letter


async for letter in letters():
    letter + "!"
