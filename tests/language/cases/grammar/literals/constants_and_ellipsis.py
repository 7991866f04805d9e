# The constants have one identity each, and the ellipsis is a value.
print(None is None, True is not False, ... is Ellipsis)
print(..., None, True, False, type(...).__name__, type(None).__name__)
print([...][0] is ..., {None: 1, True: 2, ...: 3}, {True: "a", 1: "b", 1.0: "c"})
print(__debug__, isinstance(True, int), True + 1)
