# Generic classes, bounded type variables and runtime-checkable protocols.
from typing import Generic, Protocol, TypeVar, runtime_checkable

T = TypeVar("T")
N = TypeVar("N", int, float)


class Box(Generic[T]):
    def __init__(self, item: T) -> None:
        self.item = item

    def map(self, function) -> "Box":
        return Box(function(self.item))


@runtime_checkable
class Closable(Protocol):
    def close(self) -> None: ...


class File:
    def close(self):
        print("closed")


class Named(Protocol):
    name: str


class Dog(Named):
    name = "Rex"


def double(value: N) -> N:
    return value * 2


print(Box[int](3).map(str).item, double(1.5), T, N)
print(Box[int], Box[list[str]] == Box[list[str]])
print(isinstance(File(), Closable), isinstance(5, Closable), Dog().name)
try:
    Closable()
except TypeError as error:
    print(error)
Box("a").item
