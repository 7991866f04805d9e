# Classes built on collections.abc get the methods the abstract classes supply.
from collections.abc import Iterable, Mapping, MutableSet, Sequence


class Countdown(Sequence):
    def __init__(self, start):
        self.start = start

    def __len__(self):
        return self.start

    def __getitem__(self, index):
        if not 0 <= index < self.start:
            raise IndexError(index)
        return self.start - index


class Frozen(Mapping):
    def __init__(self, **items):
        self._items = items

    def __getitem__(self, key):
        return self._items[key]

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)


class SortedSet(MutableSet):
    def __init__(self, items=()):
        self._items = []
        for item in items:
            self.add(item)

    def __contains__(self, item):
        return item in self._items

    def __iter__(self):
        return iter(sorted(self._items))

    def __len__(self):
        return len(self._items)

    def add(self, item):
        if item not in self._items:
            self._items.append(item)

    def discard(self, item):
        if item in self._items:
            self._items.remove(item)


c = Countdown(4)
print(list(c), list(reversed(c)), 3 in c, c.index(2), c.count(1))
f = Frozen(a=1, b=2)
print(f.get("z", 0), list(f.items()), "a" in f, f == {"a": 1, "b": 2})
s = SortedSet([3, 1, 2, 3])
print(list(s | {9}), list(s & {1, 2, 5}), s.pop(), len(s))
print(isinstance(c, Iterable), isinstance(5, Iterable), issubclass(list, Sequence))
try:
    Mapping()
except TypeError as error:
    print(type(error).__name__)
c[0], f["b"]
