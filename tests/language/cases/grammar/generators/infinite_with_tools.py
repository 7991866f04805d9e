# Endless generators are cut by itertools and by break.
from itertools import count, islice, takewhile


def primes():
    found = []
    for n in count(2):
        if all(n % p for p in takewhile(lambda p: p * p <= n, found)):
            found.append(n)
            yield n


print(list(islice(primes(), 12)))
for p in primes():
    if p > 100:
        print(p)
        break
