# Built-in operations raise the same types and texts.
class A:
    __slots__ = ("only",)


attempts = [
    lambda: 1 + "a", lambda: "a" + 1, lambda: [] < 3, lambda: {}[[]], lambda: [1][5], lambda: (1,)[0:"x"],
    lambda: int("12x"), lambda: float("q"), lambda: None.attr, lambda: A().only, lambda: setattr(A(), "other", 1),
    lambda: "abc".index("z"), lambda: next(iter([])), lambda: [].pop(), lambda: {}.popitem(), lambda: chr(-1),
    lambda: 2.0 ** 10000, lambda: 1 << -1, lambda: len(5), lambda: undefined, lambda: b"\xff".decode(), lambda: abs("x"),
]
for attempt in attempts:
    try:
        attempt()
    except Exception as error:
        print(type(error).__name__, error)
