# Functions and classes expose their annotations in the order they were written.
def area(width: float, height: "float" = 1.0, *rest: int, unit: str = "m", **more: bytes) -> float:
    local: undefined_name_is_never_evaluated = width * height
    return local


class Shape:
    sides: int
    names: list[str] = []


print(area.__annotations__)
print(list(Shape.__annotations__.items()))
print(area(2, 3))
