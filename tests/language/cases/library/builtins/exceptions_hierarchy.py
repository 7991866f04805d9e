# The builtin exceptions have their places, arguments and attributes.
print(issubclass(KeyError, LookupError), issubclass(FileNotFoundError, OSError), issubclass(KeyboardInterrupt, Exception))
print(repr(ValueError("a", 1)), ValueError("a", 1).args, str(KeyError("k")), str(Exception()), OSError(2, "gone").strerror)
for raiser in (
    lambda: {}["k"],
    lambda: [][1],
    lambda: None.attribute,
    lambda: undefined_name,
    lambda: 1 + "a",
    lambda: int("x"),
    lambda: 1 // 0,
    lambda: next(iter(())),
    lambda: 2.0**10000,
    lambda: "é".encode("ascii"),
    lambda: (lambda a: a)(),
    lambda: list()(3),
    lambda: len(5),
):
    try:
        raiser()
    except Exception as error:
        print(type(error).__name__, "|", error)
try:
    raise SystemExit(3)
except SystemExit as error:
    print("exit", error.code)
try:
    a, b = 1, 2, 3
except ValueError as error:
    print(error)
try:
    assert 1 == 2, "not equal"
except AssertionError as error:
    print(error)
group = ExceptionGroup("several", [ValueError(1), TypeError(2)])
group.subgroup(ValueError)
