# Type hints of functions and classes are read with get_type_hints, get_origin and get_args.
from typing import Annotated, Any, Callable, Literal, Optional, Union, get_args, get_origin, get_type_hints


def load(path: str, retries: "int" = 3, *, strict: Optional[bool] = None) -> dict[str, list[int]]:
    return {}


class Config:
    host: str
    port: int = 80
    tags: Annotated[list, "short"] = []


print(get_type_hints(load))
print(get_type_hints(Config))
print(get_type_hints(Config, include_extras=True)["tags"])
print(get_origin(dict[str, int]), get_args(dict[str, int]), get_args(Literal["r", "w"]))
print(get_args(Union[int, str, None]), get_args(Callable[[int], str]), get_origin(int))
print(get_type_hints(lambda: None), Any, Optional[int])
get_args(int | None)
