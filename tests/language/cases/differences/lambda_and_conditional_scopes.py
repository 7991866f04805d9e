# Comprehensions and lambdas have their own scopes and see the ones around them.
n = "kept"
squares = [n * n for n in range(3)]
print(n, squares, [(i, j) for i in range(2) for j in range(i + 1)], {n for n in "a"})
factor = 10


class Scaled:
    factor = 2
    values = [v for v in range(3)]
    # The scope of a class is not seen inside a comprehension: this is the global factor.
    outer = [factor * v for v in range(2)]


def build():
    factor = 3
    return [lambda v, f=f: v * f * factor for f in range(1, 3)]


if (found := next((v for v in [1, 5, 9] if v > 3), None)) is not None:
    print("found", found)
print([g(2) for g in build()], (lambda *a, **k: (a, k))(1, b=2), Scaled.values, Scaled.outer)
total = 0
partial = [total := total + v for v in range(5)]
n, total, partial
