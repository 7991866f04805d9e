# Objects with special methods work with operators, len, in, calls, iteration and with.
class Bag:
    def __init__(self, items=()):
        self.items = list(items)

    def __len__(self):
        return len(self.items)

    def __contains__(self, item):
        return item in self.items

    def __getitem__(self, index):
        return Bag(self.items[index]) if isinstance(index, slice) else self.items[index]

    def __setitem__(self, index, value):
        self.items[index] = value

    def __delitem__(self, index):
        del self.items[index]

    def __iter__(self):
        return iter(self.items)

    def __call__(self, function):
        return Bag(map(function, self.items))

    def __add__(self, other):
        return Bag([*self, *other])

    def __radd__(self, other):
        return Bag([*other, *self])

    def __iadd__(self, other):
        self.items.extend(other)
        return self

    def __matmul__(self, other):
        return sum(a * b for a, b in zip(self, other))

    def __neg__(self):
        return Bag(reversed(self.items))

    def __eq__(self, other):
        return isinstance(other, Bag) and self.items == other.items

    def __bool__(self):
        return bool(self.items)

    def __enter__(self):
        print("enter")
        return self

    def __exit__(self, *details):
        print("exit", details[0])

    def __repr__(self):
        return f"Bag({self.items})"


bag = Bag([1, 2, 3])
print(len(bag), 2 in bag, bag[0], bag[1:], [*bag], bag(lambda n: n * n), bag + [4], [0] + bag, bag @ bag, -bag)
bag += [9]
bag[0] = 7
del bag[1]
with bag as inside:
    print(inside is bag, bool(Bag()), bag == Bag([7, 3, 9]), bag != Bag())
first, *_ = bag
bag, first
