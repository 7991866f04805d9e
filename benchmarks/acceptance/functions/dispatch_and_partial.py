import functools
import operator
from datetime import date
from decimal import Decimal


@functools.singledispatch
def show(value):
    return f"? {value!r}"


@show.register
def _(value: int | float):
    return f"number {value}"


@show.register(list)
def _(value):
    return [show(item) for item in value]


@show.register
def _(value: date):
    return value.strftime("%d %b")


print(show([1, "x", date(2024, 1, 2), 2.5]), show.dispatch(bool).__name__ == "_", show(Decimal(1)))
power = functools.partial(pow, exp=2)
print(power(5), power.keywords, functools.reduce(operator.mul, range(1, 6)))
by = sorted(["b2", "a10", "a9"], key=functools.cmp_to_key(lambda x, y: (len(x) > len(y)) - (len(x) < len(y))))
print(by, operator.itemgetter(1, 0)("ab"), operator.attrgetter("real")(5), operator.methodcaller("upper")("x"))


class Cell:
    def __init__(self):
        self.alive = False

    def set(self, alive):
        self.alive = alive

    birth = functools.partialmethod(set, True)


cell = Cell()
cell.birth()
print(cell.alive)
