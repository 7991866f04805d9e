# Grouping, accumulating, chaining, filtering and pairing of sequences.
import operator
from itertools import (
    accumulate,
    chain,
    compress,
    dropwhile,
    filterfalse,
    groupby,
    pairwise,
    starmap,
    tee,
    zip_longest,
)

print([(key, len(list(run))) for key, run in groupby("aaabbc")])
people = sorted(["ann", "bo", "cy", "dave", "eve"], key=len)
print({size: list(names) for size, names in groupby(people, key=len)})
print(list(accumulate([1, 2, 3, 4])), list(accumulate([3, 1, 4], operator.mul, initial=10)))
print(list(chain([1], (2, 3), "ab")), list(chain.from_iterable([[1, 2], [3]])))
print(list(compress("abcd", [1, 0, 1, 0])), list(filterfalse(lambda n: n % 2, range(6))))
print(list(dropwhile(str.isspace, "  a b")), list(pairwise([1, 4, 9])))
print(list(starmap(pow, [(2, 5), (3, 2)])), list(zip_longest("ab", "c", fillvalue="-")))
first, second = tee(range(3))
print(list(first), list(second))
