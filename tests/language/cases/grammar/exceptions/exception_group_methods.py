# Groups nest, split, and give subgroups by type or by condition.
group = ExceptionGroup("outer", [
    ValueError("a"),
    ExceptionGroup("inner", [TypeError("b"), ValueError("c")]),
])
print(group)
values, rest = group.split(ValueError)
print(repr(values))
print(repr(rest))
print(group.subgroup(lambda e: "b" in str(e)) is not None, group.subgroup(OSError))
print(group.derive([KeyError("k")]).message)
try:
    ExceptionGroup("empty", [])
except ValueError as error:
    print(error)
