# Type parameters may be variadic or stand for whole signatures.
# python: 3.12+
from typing import Callable


def logged[**P, R](f: Callable[P, R]) -> Callable[P, R]:
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        print("call", f.__name__, args, kwargs)
        return f(*args, **kwargs)
    return wrapper


class Row[*Ts]:
    def __init__(self, *cells: *Ts):
        self.cells = cells


@logged
def add(a, b=1):
    return a + b


print(add(1, b=5), Row(1, "a").cells)
print(logged.__type_params__, Row.__type_params__, Row[int, str])
