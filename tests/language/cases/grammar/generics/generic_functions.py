# A generic function declares its type parameters in brackets.
# python: 3.12+
def first[T](items: list[T], default: T | None = None) -> T | None:
    return items[0] if items else default


def pair[A, B: int, C: (str, bytes)](a: A, b: B, c: C) -> tuple[A, B, C]:
    return a, b, c


async def later[T](value: T) -> T:
    return value


print(first([1, 2]), first([], "x"), pair(1, 2, "c"))
print([p.__name__ for p in pair.__type_params__], pair.__type_params__[1].__bound__, pair.__type_params__[2].__constraints__)
print(await later(5))
