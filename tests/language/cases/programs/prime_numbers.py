# Primes by a sieve, by trial division and by the Miller-Rabin test.
from itertools import count, islice, takewhile


def sieve(limit):
    flags = bytearray([1]) * (limit + 1)
    flags[0:2] = b"\x00\x00"
    for n in range(2, int(limit**0.5) + 1):
        if flags[n]:
            flags[n * n :: n] = bytes(len(range(n * n, limit + 1, n)))
    return [n for n, flag in enumerate(flags) if flag]


def primes():
    found = []
    for n in count(2):
        if all(n % p for p in takewhile(lambda p: p * p <= n, found)):
            found.append(n)
            yield n


def is_prime(n, bases=(2, 3, 5, 7, 11, 13)):
    if n < 2:
        return False
    for p in bases:
        if n % p == 0:
            return n == p
    d, s = n - 1, 0
    while d % 2 == 0:
        d, s = d // 2, s + 1
    for a in bases:
        x = pow(a, d, n)
        if x in (1, n - 1):
            continue
        for _ in range(s - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


def factors(n):
    d = 2
    while d * d <= n:
        while n % d == 0:
            yield d
            n //= d
        d += 1
    if n > 1:
        yield n


small = sieve(100)
print(small, len(sieve(10_000)), list(islice(primes(), 25)) == small)
print(all(is_prime(n) == (n in small) for n in range(100)), is_prime(2**31 - 1), is_prime(561))
print(list(factors(360)), list(factors(9973)))
sum(sieve(1000))
