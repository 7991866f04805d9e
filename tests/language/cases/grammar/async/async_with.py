# Async with awaits entering and leaving, and may suppress.
class Connection:
    def __init__(self, name):
        self.name = name

    async def __aenter__(self):
        print("open", self.name)
        return self

    async def __aexit__(self, kind, error, traceback):
        print("close", self.name, repr(error))
        return kind is ValueError


async with Connection("a") as a, Connection("b") as b:
    print(a.name, b.name)
async with Connection("c"):
    raise ValueError("suppressed")
try:
    async with (Connection("d") as d,):
        raise KeyError("not suppressed")
except KeyError as error:
    print("came out", error)
