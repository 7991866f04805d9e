# Frozen and ordered dataclasses can be compared, sorted, hashed and not changed.
import dataclasses
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Point:
    x: int
    y: int = 0


points = {Point(1, 2): "a", Point(1): "b"}
print(points[Point(1, 2)], sorted(points), Point(1) < Point(1, 1))
try:
    Point(1).x = 5
except dataclasses.FrozenInstanceError as error:
    print(type(error).__name__, error)
try:
    del Point(1).y
except AttributeError as error:
    print(error)
print(dataclasses.replace(Point(3, 4), y=9))
dataclasses.astuple(Point(5, 6))
