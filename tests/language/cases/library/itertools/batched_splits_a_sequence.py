# The batched function splits a sequence into tuples of at most n items.
# python: 3.12+
from itertools import batched

print(list(batched("abcdefg", 3)))
try:
    list(batched([1], 0))
except ValueError as error:
    print(error)
[sum(batch) for batch in batched(range(10), 4)]
