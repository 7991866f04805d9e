# Copying obeys __copy__ and __deepcopy__ and works for classes with slots.
import copy


class Connection:
    def __init__(self, name, options):
        self.name = name
        self.options = options

    def __copy__(self):
        print("copy", self.name)
        return type(self)(self.name + "'", self.options)

    def __deepcopy__(self, memo):
        print("deepcopy", self.name)
        return type(self)(self.name + "''", copy.deepcopy(self.options, memo))


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a, b):
        self.a = a
        self.b = b


c = Connection("c", {"x": [1]})
one, two = copy.copy(c), copy.deepcopy([c])[0]
print(one.name, one.options is c.options, two.name, two.options is c.options)
s = Slotted([1], 2)
flat, full = copy.copy(s), copy.deepcopy(s)
s.a.append(5)
print(flat.a, full.a, full.b)


class Pair(list):
    pass


p = Pair([1, [2]])
p.label = "both"
q = copy.deepcopy(p)
q, type(q).__name__, q.label, q[1] is p[1]
