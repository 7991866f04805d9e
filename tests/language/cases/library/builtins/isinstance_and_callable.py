# The functions isinstance, issubclass, callable, id and hash.
class Callable:
    def __call__(self, x):
        return x + 1


class Even(type):
    def __instancecheck__(cls, value):
        return isinstance(value, int) and value % 2 == 0


class EvenNumber(metaclass=Even):
    pass


print(isinstance(True, int), isinstance("a", (int, str)), isinstance(3, int | str), issubclass(bool, int))
print(callable(len), callable(Callable()), callable(3), callable(Callable), Callable()(4))
print(isinstance(4, EvenNumber), isinstance(5, EvenNumber))
print(hash(5) == 5, hash(2**61 - 1), hash((1, 2)) == hash((1, 2)), id(Callable) == id(Callable))
for bad in (lambda: hash([]), lambda: isinstance(1, 5)):
    try:
        bad()
    except TypeError as error:
        print(error)
isinstance(object(), object)
