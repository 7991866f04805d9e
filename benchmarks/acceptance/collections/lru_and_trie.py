from collections import OrderedDict
from collections.abc import MutableMapping


class LRU(MutableMapping):
    def __init__(self, size):
        self.size, self.data = size, OrderedDict()

    def __getitem__(self, key):
        self.data.move_to_end(key)
        return self.data[key]

    def __setitem__(self, key, value):
        self.data[key] = value
        self.data.move_to_end(key)
        if len(self.data) > self.size:
            self.data.popitem(last=False)

    def __delitem__(self, key):
        del self.data[key]

    def __iter__(self):
        return iter(self.data)

    def __len__(self):
        return len(self.data)


class Trie:
    def __init__(self, words=()):
        self.root = {}
        for word in words:
            node = self.root
            for letter in word:
                node = node.setdefault(letter, {})
            node[None] = word

    def complete(self, prefix):
        node = self.root
        for letter in prefix:
            if letter not in node:
                return
            node = node[letter]
        yield from self._walk(node)

    def _walk(self, node):
        if None in node:
            yield node[None]
        for letter in sorted(key for key in node if key):
            yield from self._walk(node[letter])


cache = LRU(2)
cache.update(a=1, b=2)
cache["a"]
cache["c"] = 3
print(list(cache), "b" in cache, cache.get("b", "gone"), cache.pop("a"), cache.setdefault("z", 26))
print(list(Trie("to tea ten i in inn".split()).complete("te")), list(Trie(["a"]).complete("x")))
