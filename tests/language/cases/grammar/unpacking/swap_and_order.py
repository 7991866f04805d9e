# The right side is built first, then targets are bound from left to right.
a, b, c = 1, 2, 3
a, b, c = c, a, b
print(a, b, c)
x = [0, 1, 2]
i = 0
i, x[i] = 1, "set"
print(i, x)
(a), [b] = {"k": 1}, [2]
print(a, b)
() = []
[] = ()
print("empty targets are fine")
