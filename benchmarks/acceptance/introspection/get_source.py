import inspect


def area(width: float, height: float = 1.0) -> float:
    """Width times height."""
    # a comment that belongs to the source
    return width * height


class Box:
    """A box."""

    def volume(self):
        return 1


print(inspect.getsource(area))
print(inspect.getsource(Box.volume))
print(inspect.getsourcelines(Box)[1], inspect.getdoc(Box), inspect.getcomments(area))
print(inspect.signature(area), inspect.getmodule(area).__name__)
