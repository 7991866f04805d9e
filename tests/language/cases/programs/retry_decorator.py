# A decorator that retries with growing delays on a clock that is not real.
import functools
import random


class Clock:
    def __init__(self):
        self.now = 0.0
        self.sleeps = []

    def sleep(self, seconds):
        self.sleeps.append(round(seconds, 3))
        self.now += seconds


class TemporaryError(Exception):
    pass


def retry(attempts=3, delay=1.0, factor=2, errors=(TemporaryError,), clock=None, jitter=None):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            wait = delay
            for attempt in range(1, attempts + 1):
                try:
                    return function(*args, **kwargs)
                except errors as error:
                    if attempt == attempts:
                        raise
                    print(f"{function.__name__} failed ({error}), attempt {attempt}")
                    clock.sleep(wait + (jitter.uniform(0, 0.1) if jitter else 0))
                    wait *= factor

        wrapper.attempts = attempts
        return wrapper

    return decorate


clock = Clock()
failures = iter([True, True, False])


@retry(attempts=4, clock=clock)
def connect(host):
    """Connect to a host."""
    if next(failures):
        raise TemporaryError(host)
    return f"connected to {host}"


@retry(attempts=2, errors=(TemporaryError, KeyError), clock=clock, jitter=random.Random(1))
def never():
    raise KeyError("always")


print(connect("db"), clock.sleeps, connect.__name__, connect.__doc__, connect.attempts)
try:
    never()
except KeyError as error:
    print("gave up:", error)
round(clock.now, 3)
