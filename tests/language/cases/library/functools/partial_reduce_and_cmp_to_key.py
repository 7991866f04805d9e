# Using partial, partialmethod, reduce and cmp_to_key.
from functools import cmp_to_key, partial, partialmethod, reduce

power_of_two = partial(pow, 2)
print(power_of_two(10), partial(int, base=2)("1011"))
show = partial(print, "log:", sep=" ", end="!\n")
show("a", "b")
print(power_of_two.args, power_of_two.keywords)


class Light:
    def __init__(self):
        self.state = "off"

    def switch(self, state):
        self.state = state
        return self

    on = partialmethod(switch, "on")


print(Light().on().state)
print(reduce(lambda a, b: a * b, range(1, 6)), reduce(lambda a, b: a + b, [[1], [2]], []))


def by_length_then_reverse(a, b):
    return len(a) - len(b) or (a < b) - (a > b)


print(sorted(["b", "aa", "c", "bb"], key=cmp_to_key(by_length_then_reverse)))
try:
    reduce(lambda a, b: a, [])
except TypeError as error:
    print(error)
reduce(max, [3, 9, 4])
