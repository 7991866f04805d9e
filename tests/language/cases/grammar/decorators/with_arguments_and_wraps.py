# A decorator with arguments replaces the function and may keep its name.
from functools import wraps


def repeat(times, *, sep=" "):
    def decorate(f):
        @wraps(f)
        def wrapper(*args, **kwargs):
            return sep.join(f(*args, **kwargs) for _ in range(times))
        return wrapper
    return decorate


@repeat(3, sep="-")
def shout(word, mark="!"):
    """Shouts."""
    return word.upper() + mark


print(shout("hey"), shout("ho", mark="?"))
print(shout.__name__, shout.__doc__)
