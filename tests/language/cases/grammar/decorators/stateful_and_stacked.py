# Stacked decorators wrap one another, and each keeps its own state.
import functools


def logged(f):
    def wrapper(*args):
        wrapper.log.append(args)
        return f(*args)
    wrapper.log = []
    return wrapper


@logged
@functools.lru_cache(maxsize=None)
@logged
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(10))
print(len(fib.log))
print(fib(10), len(fib.log))
