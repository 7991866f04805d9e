# Async for drives __aiter__ and __anext__, with break, continue and else.
class Ticker:
    def __init__(self, n):
        self.n, self.i = n, 0

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self.i >= self.n:
            raise StopAsyncIteration
        self.i += 1
        return self.i


async for n in Ticker(4):
    if n == 2:
        continue
    print(n)
else:
    print("else after the end")
async for n in Ticker(4):
    break
else:
    print("never")
print(n)
