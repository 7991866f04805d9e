# Inside a class body only the first iterable sees the names of the class.
class Grid:
    size = 3
    cells = [n for n in range(size)]
    pairs = [(a, b) for a in range(size) for b in "xy"]
    try:
        broken = [n for n in range(2) if n < size]
    except NameError as error:
        broken = str(error)


print(Grid.cells, len(Grid.pairs))
print(Grid.broken if isinstance(Grid.broken, str) else "class names are visible")
