# Type parameters live in their own scope, which closures and nested classes see.
# python: 3.12+
T = "global T"


def outer[T](x: T):
    def inner():
        return T.__name__

    class Local[U]:
        both = (T.__name__, U.__name__)

    return inner(), Local.both


print(outer(1), T)


class Box[T]:
    label = T.__name__
    alias = lambda: T


print(Box.label, Box.alias().__name__)
