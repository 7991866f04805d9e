# The endless iterators count, cycle and repeat are cut with islice, zip and takewhile.
from itertools import count, cycle, islice, repeat, takewhile

print(list(islice(count(10, 5), 4)))
print(list(islice(cycle("abc"), 7)))
print(list(repeat("x", 3)), list(map(pow, range(5), repeat(2))))
print([f"{n}:{c}" for n, c in zip(range(4), cycle("rg"))])
print(list(takewhile(lambda n: n < 30, (n * n for n in count(1)))))
print(list(islice("abcdefgh", 1, None, 3)), next(islice(count(), 100, None)))
