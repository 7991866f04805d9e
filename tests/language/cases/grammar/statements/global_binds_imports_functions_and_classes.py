# Names declared global may be bound by def, class, import, for, with and except.
from contextlib import nullcontext


def define():
    global helper, Kind, math, item, opened
    def helper():
        return "helped"
    class Kind:
        label = "kind"
    import math
    for item in "ab":
        pass
    with nullcontext("resource") as opened:
        pass


define()
print(helper(), Kind.label, math.sqrt(16), item, opened)
print(helper.__qualname__, Kind.__qualname__)
