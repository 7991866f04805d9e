# List, set and dict comprehensions with conditions and several loops.
print([x * y for x in range(3) for y in range(3) if x != y])
print(sorted({x % 3 for x in range(10)}))
print({k: v for k, v in zip("abc", range(3)) if v})
print([[cell for cell in row if cell] for row in [[1, 0], [0, 2]]])
print([x for x in range(20) if x % 2 if x % 3])
print({n: [m for m in range(n)] for n in range(3)})
