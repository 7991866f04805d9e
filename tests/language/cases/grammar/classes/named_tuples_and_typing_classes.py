# Named tuples, typed dicts and protocols are classes too.
from collections import namedtuple
from typing import NamedTuple, Protocol, TypedDict, runtime_checkable


class Point(NamedTuple):
    x: int
    y: int = 0

    def norm(self):
        return self.x**2 + self.y**2


class Movie(TypedDict, total=False):
    title: str


@runtime_checkable
class Closes(Protocol):
    def close(self): ...


class Door:
    def close(self): return "closed"


Pair = namedtuple("Pair", "left right", defaults=["r"])
print(Point(3, 4).norm(), Point(1), Point(1)._replace(y=2), Pair("l"), Movie(title="M"))
print(isinstance(Door(), Closes), isinstance(3, Closes), Pair._fields)
