# A decorator using wraps keeps the name and the documentation of the function.
from functools import wraps


def logged(function):
    @wraps(function)
    def wrapper(*args, **kwargs):
        print("calling", function.__name__, args, kwargs)
        return function(*args, **kwargs)

    return wrapper


def repeated(times):
    def decorate(function):
        @wraps(function)
        def wrapper(*args):
            return [function(*args) for _ in range(times)]

        return wrapper

    return decorate


@logged
@repeated(times=3)
def greet(name):
    """Say hello."""
    return f"hello {name}"


print(greet.__name__, greet.__doc__)
greet("ann")
