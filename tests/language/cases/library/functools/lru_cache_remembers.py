# The lru_cache and cache decorators remember results and report their use.
import functools


@functools.lru_cache(maxsize=2)
def slow_square(n):
    print("computing", n)
    return n * n


print([slow_square(n) for n in (2, 3, 2, 4, 3)])
print(slow_square.cache_info())
slow_square.cache_clear()
print(slow_square.cache_info().currsize)


@functools.cache
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


print(fibonacci(90), fibonacci.cache_info().misses)
try:
    fibonacci([])
except TypeError as error:
    print(error)
fibonacci(10)
