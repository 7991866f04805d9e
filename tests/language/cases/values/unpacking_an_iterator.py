# An unpacking assignment as the last statement consumes an iterator only once.
source = iter(range(3))
a, b, c = values = list(source)
# ---
a, b, c, next(source, "empty")
