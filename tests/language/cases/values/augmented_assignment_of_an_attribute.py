# The value of an augmented assignment to an attribute is the attribute afterwards.
class Counter:
    hits = 1


counter = Counter()
counter.hits -= 5
