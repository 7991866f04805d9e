# A class body may hold any statements, and they run when the class is made.
print("before")


class Table:
    """A table of squares."""

    print("inside", __qualname__)
    squares = {}
    for n in range(4):
        squares[n] = n**2
    del n
    if len(squares) > 3:
        size = "big"
    else:
        size = "small"
    try:
        broken = 1 / 0
    except ZeroDivisionError:
        broken = None
    with_default = [value for value in range(3)]
    low, *high = with_default
    limit: int = 10
    unset: str
    limit += 5
    while limit > 12:
        limit -= 1
    import math

    root = math.sqrt(16)

    def method(self):
        return self.size

    alias = method
    double = lambda self, x: x * 2

    class Row:
        width = 3

        class Cell:
            text = "deep"

    assert size == "big"
    for name in ("north", "south"):
        exec(f"{name} = {name!r}.upper()")
    pass


print(Table.squares, Table.size, Table.broken, Table.high, Table.limit, Table.root, Table.__doc__)
t = Table()
print(t.method(), t.alias(), t.double(4), Table.Row.Cell.text, Table.south, hasattr(Table, "n"))
sorted(Table.__annotations__)
