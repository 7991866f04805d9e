# Operators mean what each built-in type makes of them.
print("ab" * 3, "x" + "y", [1] * 2 + [3], (0,) * 3, 3 * "z")
print({"a": 1} | {"b": 2}, sorted({1, 2, 3} - {2}), sorted({1} | {2}), {1, 2} & {2, 3}, sorted({1, 2} ^ {2, 3}))
print("%s is %d years, %.2f%%" % ("Ann", 30, 99.5), "%(k)05.1f" % {"k": 3.14159}, b"%x" % 255)
print(1 + 2.0, 1 + 1j, True + True, 0.1 + 0.2)
