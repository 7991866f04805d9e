# Context managers made from generators clean up, swallow and nest.
from contextlib import contextmanager, suppress


@contextmanager
def section(name, swallow=()):
    print("enter", name)
    try:
        yield name.upper()
    except swallow as error:
        print("swallowed", repr(error))
    finally:
        print("leave", name)


with section("a") as outer, section("b") as inner:
    print(outer, inner)

with section("c", swallow=KeyError):
    {}["missing"]

with suppress(ZeroDivisionError, ValueError):
    print("before")
    1 / 0
    print("never")

try:
    with section("d"):
        raise RuntimeError("escaped")
except RuntimeError as error:
    print("caught", error)


@section("decorated")
def work():
    return 5


work()
