# The replace function makes a changed copy of records and of classes with __replace__.
# python: 3.13+
import copy
from collections import namedtuple
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Point:
    x: int
    y: int


class Version:
    def __init__(self, major, minor):
        self.major, self.minor = major, minor

    def __replace__(self, /, **changes):
        return Version(**{"major": self.major, "minor": self.minor} | changes)


pair = namedtuple("Pair", "a b")(1, 2)
print(copy.replace(Point(1, 2), y=5), copy.replace(pair, a=9), copy.replace(date(2024, 1, 1), day=3))
print(copy.replace(Version(1, 2), minor=7).minor)
copy.replace(5, x=1)
