# Since 3.13 type parameters have defaults.
# python: 3.13+
from typing import NoDefault


class Box[T = int, *Ts = *tuple[str, bool]]:
    pass


def f[T, U = list[T], **P = [int, str]](x: T) -> U:
    return x


type Pair[A, B = A] = tuple[A, B]

for parameter in (*Box.__type_params__, *f.__type_params__):
    print(parameter, parameter.__default__ if parameter.has_default() else parameter.__default__ is NoDefault)
print(f(1), Pair[int].__name__)
