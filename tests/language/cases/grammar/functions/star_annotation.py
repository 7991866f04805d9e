# A star in the annotation of *args unpacks a tuple type.
def f(*args: *tuple[int, str]) -> None:
    print(args)


def g(*args: int, **kwargs: str): return args, kwargs


f(1, "a")
print(list(f.__annotations__), g(1, k="v"))
print(f.__annotations__["args"])
