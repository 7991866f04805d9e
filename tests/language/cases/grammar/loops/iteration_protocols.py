# A for loop uses __iter__ and __next__, or __getitem__ with growing numbers.
class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n


class Squares:
    def __getitem__(self, index):
        if index > 3:
            raise IndexError
        return index**2


print(list(Countdown(3)), [x for x in Squares()], 9 in Squares())
print(list(iter([5, 6, 0, 7].pop, 6)))
try:
    for _ in 5:
        pass
except TypeError as error:
    print(error)
