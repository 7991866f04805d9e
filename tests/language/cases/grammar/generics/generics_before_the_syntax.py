# Generic classes made with TypeVar work on every version.
from typing import Generic, TypeVar

T = TypeVar("T")


class Box(Generic[T]):
    def __init__(self, item: T):
        self.item = item

    def map(self, f) -> "Box":
        return Box(f(self.item))


class IntBox(Box[int]):
    pass


print(Box(2).map(lambda n: n + 1).item, IntBox(5).item, Box[int](3).item)
print(Box[str], issubclass(IntBox, Box), T)
