# Replacement fields hold any expression, also nested fields in the format.
name, width, value = "Ada", 10, 3.14159
print(f"{name} {name!r} {name!s} {'é'!a}")
print(f"[{name:>{width}}] [{value:{width}.{2 + 1}}] [{value:^+{width}.2f}]")
print(f"{[n * 2 for n in range(3)]} {(lambda x: x + 1)(2)} { {'a': 1}['a'] }")
print(f"{{literal}} {{{name}}} {'yes' if name else 'no'} {name if True else 0:>5}")
