# A true result of __exit__ suppresses the exception.
class Suppress:
    def __init__(self, *kinds):
        self.kinds = kinds

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        self.caught = error
        return kind is not None and issubclass(kind, self.kinds)


with Suppress(KeyError, ValueError) as s:
    raise ValueError("gone")
print(repr(s.caught))
try:
    with Suppress(KeyError):
        raise TypeError("stays")
except TypeError as error:
    print(error)
