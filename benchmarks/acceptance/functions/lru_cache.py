import functools


@functools.lru_cache(maxsize=3)
def slow(n):
    print("computing", n)
    return n * n


for number in (1, 2, 1, 3, 4, 1, 2):
    slow(number)
print(slow.cache_info())
slow.cache_clear()


@functools.cache
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


print(fibonacci(90), fibonacci.cache_info().currsize)


class Data:
    def __init__(self, values):
        self.values = values

    @functools.cached_property
    def total(self):
        print("summing")
        return sum(self.values)


data = Data([1, 2, 3])
print(data.total, data.total)
try:
    slow([1])
except TypeError as error:
    print(error)
