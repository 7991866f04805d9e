# The functions aiter and anext walk an async iterator.
async def letters():
    yield "a"
    yield "b"


stream = aiter(letters())
print(await anext(stream), await anext(stream), await anext(stream, "end"))
try:
    await anext(stream)
except StopAsyncIteration:
    print("stopped")
[c async for c in letters()]
