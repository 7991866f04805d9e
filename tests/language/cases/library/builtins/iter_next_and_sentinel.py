# The functions iter and next with defaults and with a sentinel.
numbers = iter([3, 1, 0, 9])
print(next(numbers), list(iter(lambda: next(numbers), 0)), next(numbers, "rest"), next(numbers, "empty"))
try:
    next(iter([]))
except StopIteration as error:
    print("stopped", error.value)


class Repeat:
    def __init__(self, times):
        self.times = times

    def __iter__(self):
        return RepeatIterator(self.times)


class RepeatIterator:
    def __init__(self, left):
        self.left = left

    def __iter__(self):
        return self

    def __next__(self):
        if not self.left:
            raise StopIteration
        self.left -= 1
        return self.left


class OldStyle:
    def __getitem__(self, index):
        if index > 2:
            raise IndexError
        return index * 10


print(list(Repeat(3)), [*OldStyle()], 20 in OldStyle(), max(Repeat(5)))
first, *others = Repeat(4)
try:
    iter(5)
except TypeError as error:
    print(error)
others
