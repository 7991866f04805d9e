# A coroutine does nothing until awaited, can be awaited once, and can be driven by hand.
class Suspends:
    def __await__(self):
        received = yield "suspended"
        return received


async def steps():
    print("started")
    got = await Suspends()
    print("resumed with", got)
    return "result"


c = steps()
print("made")
print(c.send(None))
try:
    c.send("value")
except StopIteration as stop:
    print(stop.value)
try:
    c.send(None)
except RuntimeError as error:
    print(error)
unused = steps()
unused.close()
