import typing
from typing import Annotated, Literal, NamedTuple, NewType, Optional, TypedDict, Union, get_args, get_origin, overload


class Movie(TypedDict, total=False):
    title: typing.Required[str]
    year: int


class Employee(NamedTuple):
    name: str
    id: int = 3


UserId = NewType("UserId", int)


@overload
def double(x: int) -> int: ...
@overload
def double(x: str) -> str: ...
def double(x):
    return x * 2


def check(function):
    """Check arguments against simple annotations."""
    hints = typing.get_type_hints(function)

    def wrapper(**kwargs):
        for name, value in kwargs.items():
            expected = get_args(hints[name]) if get_origin(hints[name]) is Union else (hints[name],)
            if not isinstance(value, expected):
                raise TypeError(f"{name}: {value!r} is not {hints[name]}")
        return function(**kwargs)

    return wrapper


@check
def repeat(text: str, times: Optional[int] = None) -> str:
    return text * (times or 1)


print(Movie(title="X"), Movie.__required_keys__, Employee("Ann"), Employee("Bob")._replace(id=9))
print(UserId(5), double("ab"), len(typing.get_overloads(double)), repeat(text="ab", times=2))
print(get_args(Literal["a", "b"]), get_type := get_origin(dict[str, int]), Annotated[int, "positive"].__metadata__)
try:
    repeat(text=3)
except TypeError as error:
    print(error)
