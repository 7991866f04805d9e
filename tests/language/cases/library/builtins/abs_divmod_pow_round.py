# Arithmetic functions: abs, divmod, pow with a modulus, round, sum, min and max.
print(abs(-5), abs(3 - 4j), divmod(17, 5), divmod(-7, 2), divmod(7.5, 2))
print(pow(2, 10), pow(3, 200, 13), pow(3, -1, 7), pow(2, -1), pow(2.0, 0.5) ** 2 > 1.99)
print(round(2.5), round(3.5), round(-1.567, 2), round(1234, -2), round(2.0), round(1e20))
print(sum([1, 2, 3], 10), sum([[1], [2]], []), sum(x / 2 for x in range(3)))
print(min(3, 1, 2), max("apple", "fig", key=len), min([], default="none"), max([[1, 2], [1, 3]]))
for bad in (lambda: pow(2, -1, 4), lambda: max([]), lambda: divmod(1, 0), lambda: sum(["a"])):
    try:
        bad()
    except Exception as error:
        print(type(error).__name__, error)
divmod(10, 3)
