# A next without a default on an empty iterator.
it = iter("ab")
print(next(it), next(it))
next(it)
