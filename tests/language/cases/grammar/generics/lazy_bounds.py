# Bounds are evaluated when asked for.
# python: 3.12+
def f[T: Undefined](x: T) -> T:
    return x


print(f(3))
try:
    f.__type_params__[0].__bound__
except NameError as error:
    print(error)


class Undefined:
    pass


print(f.__type_params__[0].__bound__.__name__)
