# A conditional expression evaluates only the chosen side and nests to the right.
def loud(value):
    print("asked", value)
    return value


print(loud("yes") if True else loud("no"))
for n in (-1, 0, 1):
    print("negative" if n < 0 else "zero" if n == 0 else "positive")
print((lambda: 1 if False else 2)(), [1, 2][True if 0 else False])
