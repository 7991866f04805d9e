# An error inside a nested comprehension.
rows = [[1, 2], [3, "x"]]
print([sum(row) for row in rows[:1]])
[[n + 1 for n in row] for row in rows]
