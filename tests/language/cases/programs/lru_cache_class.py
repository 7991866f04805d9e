# A least-recently-used cache built on an ordered dictionary.
from collections import OrderedDict


class LRUCache:
    def __init__(self, capacity: int):
        if capacity <= 0:
            raise ValueError("capacity must be positive")
        self.capacity = capacity
        self._items: OrderedDict[str, int] = OrderedDict()
        self.hits = self.misses = 0

    def get(self, key, default=None):
        if key in self._items:
            self.hits += 1
            self._items.move_to_end(key)
            return self._items[key]
        self.misses += 1
        return default

    def put(self, key, value):
        self._items[key] = value
        self._items.move_to_end(key)
        if len(self._items) > self.capacity:
            evicted, _ = self._items.popitem(last=False)
            print(f"evicted {evicted}")

    __getitem__ = get
    __setitem__ = put

    def __contains__(self, key):
        return key in self._items

    def __len__(self):
        return len(self._items)

    def __repr__(self):
        return f"{self.__class__.__name__}({', '.join(f'{k}={v}' for k, v in self._items.items())})"


cache = LRUCache(2)
cache.put("a", 1)
cache["b"] = 2
print(cache.get("a"), cache["zzz"])
cache["c"] = 3
print(cache, "b" in cache, len(cache), cache.hits, cache.misses)
try:
    LRUCache(0)
except ValueError as error:
    print("Error:", error)
cache
