# Sets and frozen sets are combined, compared and changed.
a, b = {1, 2, 3}, {3, 4}
print(a | b, a & b, a - b, a ^ b, a <= {1, 2, 3, 4}, a.isdisjoint({9}), a > {1})
a.add(5)
a.discard(99)
a.update([6], (7,))
a -= {1}
print(a, len(a), 2 in a, sorted(a, reverse=True), a.union([100]), a.intersection([2, 3, 50]))
frozen = frozenset([1, 2])
print(frozen, {frozen: "key"}[frozenset([2, 1])], frozen | {3}, set("a") == {"a"}, set())
try:
    a.remove(99)
except KeyError as error:
    print("missing", error)
try:
    {[]}
except TypeError as error:
    print(error)
{n % 3 for n in range(10)}
