# Containers define length, membership, items, iteration, reversal and missing keys.
class Ring:
    def __init__(self, *items): self.items = list(items)
    def __len__(self): return len(self.items)
    def __getitem__(self, i):
        if isinstance(i, slice):
            return Ring(*self.items[i])
        return self.items[i % len(self.items)]
    def __setitem__(self, i, value): self.items[i % len(self.items)] = value
    def __delitem__(self, i): del self.items[i % len(self.items)]
    def __contains__(self, item): return item in self.items
    def __iter__(self): return iter(self.items)
    def __reversed__(self): return reversed(self.items)


r = Ring("a", "b", "c")
r[4] = "B"
del r[3]
print(len(r), r[-1], list(r), list(reversed(r)), "B" in r, "z" not in r, [*r[1:]], bool(Ring()))
first, *rest = r
print(first, rest, max(r))
