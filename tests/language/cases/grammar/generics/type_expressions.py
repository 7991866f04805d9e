# Types are combined with operators and subscripts at run time.
from typing import Annotated, Callable, Literal, Optional, Union, get_args, get_origin

print(int | None, Optional[str] == (str | None), list[int | str], dict[str, list[int]])
print(get_origin(dict[str, int]), get_args(dict[str, int]), get_args(Literal["a", 1]))
print(isinstance(5, int | str), isinstance(5.0, int | str), Callable[[int], str])
print(tuple[int, ...], Annotated[int, "meta"], Union[int, str] == int | str)
print(list[int]([1, 2]), type(list[int]).__name__)
