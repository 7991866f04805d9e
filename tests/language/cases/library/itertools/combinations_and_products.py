# Products, permutations and combinations come in the documented order.
import itertools as it

print(list(it.product("ab", [1, 2])))
print(len(list(it.product(range(2), repeat=5))))
print(["".join(p) for p in it.permutations("abc")])
print(list(it.combinations([1, 2, 3, 4], 2)))
print(list(it.combinations_with_replacement("xy", 2)))
max(it.permutations([3, 1, 2]))
