# A singledispatch function picks its implementation by the type of the first argument.
from collections.abc import Mapping
from functools import singledispatch, singledispatchmethod


@singledispatch
def describe(value):
    return f"something {value!r}"


@describe.register
def _(value: int):
    return f"integer {value}"


@describe.register(list)
@describe.register(tuple)
def _(value):
    return "sequence of " + ", ".join(describe(item) for item in value)


@describe.register(Mapping)
def describe_mapping(value):
    return f"mapping with {len(value)} keys"


class Printer:
    @singledispatchmethod
    def show(self, value):
        return "other"

    @show.register
    def _(self, value: str):
        return f"text {value}"

    @show.register
    def _(self, value: float):
        return f"float {value:.2f}"


print(describe(5), "|", describe([1, "a", (2,)]), "|", describe({"k": 1}), "|", describe(True))
print(describe.dispatch(dict) is describe_mapping)
printer = Printer()
print(printer.show("a"), printer.show(1.5), printer.show(None))
