# Too many values for the targets.
a, b = [1, 2]
print(a, b)
a, b = "three"[:3]
