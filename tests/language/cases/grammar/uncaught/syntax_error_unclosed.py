# A bracket that is never closed.
values = [1, 2
print(values)
