# The walrus binds a name in the enclosing scope and has the value it bound.
if (n := len("four")) > 3:
    print(n)
print((a := 1, b := a + 1), a, b)
data = [y := 5, y**2, (z := y) + 1]
print(data, z)


def keyword(*, value):
    return value


print(keyword(value=(w := 3)), w)
print([last := x for x in range(4)], last)
print(any((witness := word).startswith("b") for word in ["a", "bc", "bd"]), witness)
