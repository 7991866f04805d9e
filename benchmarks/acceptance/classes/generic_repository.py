from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, get_type_hints, runtime_checkable


@runtime_checkable
class HasId(Protocol):
    id: int


T = TypeVar("T", bound=HasId)


@dataclass
class User:
    id: int
    name: str
    friends: list[User] | None = None


class Repository(Generic[T]):
    def __init__(self) -> None:
        self._items: dict[int, T] = {}

    def add(self, item: T) -> T:
        return self._items.setdefault(item.id, item)

    def __iter__(self) -> Iterator[T]:
        return iter(sorted(self._items.values(), key=lambda item: item.id))

    def __class_getitem__(cls, item: Any) -> Any:
        return super().__class_getitem__(item)


users: Repository[User] = Repository[User]()
users.add(User(2, "Bob"))
users.add(User(1, "Ann", [User(2, "Bob")]))
print(list(users), isinstance(User(1, "x"), HasId), isinstance("x", HasId))
print(get_type_hints(User))
print(get_type_hints(Repository.add)["return"], Repository.__orig_bases__[0].__origin__.__name__)
