import functools
import time


def retry(times, *errors):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            for attempt in range(1, times + 1):
                try:
                    return function(*args, **kwargs)
                except errors as error:
                    print(f"attempt {attempt}: {error!r}")
                    if attempt == times:
                        raise
        wrapper.times = times
        return wrapper
    return decorate


class CountCalls:
    def __init__(self, function):
        functools.update_wrapper(self, function)
        self.function, self.calls = function, 0

    def __call__(self, *args):
        self.calls += 1
        return self.function(*args)


failures = iter([OSError("one"), OSError("two"), None])


@retry(3, OSError)
def flaky():
    """Fails twice."""
    if error := next(failures):
        raise error
    return "done"


@CountCalls
def add(a, b=1):
    return a + b


print(flaky(), flaky.__name__, flaky.__doc__, flaky.times, flaky.__wrapped__ is not flaky)
add(1), add(2, 3)
print(add.calls, add.__name__)
