# Return, break and continue leave async blocks through their exits.
class Scope:
    async def __aenter__(self):
        print("in", end=" ")

    async def __aexit__(self, *details):
        print("out", end=" ")


async def numbers():
    try:
        for n in range(5):
            yield n
    finally:
        print("generator closed")


async def first_even_above(limit):
    gen = numbers()
    async for n in gen:
        async with Scope():
            if n <= limit:
                continue
            if n % 2 == 0:
                await gen.aclose()
                return n


print(await first_even_above(2))
