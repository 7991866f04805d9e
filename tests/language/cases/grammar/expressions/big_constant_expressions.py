# Constant expressions that CPython folds keep their value and their errors.
print(2**100 % 97, "ab" * 4, (1, 2) + (3,), -(-(1)), not None, 1_000 * 1_000)
print(7 // 2 * 2.5 + 1j, "a" "b" 'c', b"x" b"y")
try:
    print(1 // 0)
except ZeroDivisionError as error:
    print(error)
print([1, 2, 3] == [*(1, 2, 3)], 5 in (1, 2, 5), "x" in {"x", "y"})
