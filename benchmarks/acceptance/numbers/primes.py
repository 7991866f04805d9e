import itertools
import math


def sieve(limit):
    flags = bytearray([1]) * (limit + 1)
    flags[0:2] = b"\0\0"
    for number in range(2, math.isqrt(limit) + 1):
        if flags[number]:
            flags[number * number :: number] = bytes(len(range(number * number, limit + 1, number)))
    return [number for number, flag in enumerate(flags) if flag]


def is_probable_prime(n, bases=(2, 3, 5, 7, 11, 13)):
    if n < 2 or any(n % p == 0 for p in bases):
        return n in bases
    d, s = n - 1, 0
    while d % 2 == 0:
        d, s = d // 2, s + 1
    for base in bases:
        x = pow(base, d, n)
        if x in (1, n - 1):
            continue
        if not any((x := x * x % n) == n - 1 for _ in range(s - 1)):
            return False
    return True


primes = sieve(10_000)
print(len(primes), primes[-3:], [p for p, q in itertools.pairwise(primes) if q - p == 2][:5])
print(all(is_probable_prime(n) == (n in set(primes)) for n in range(0, 500)))
print(is_probable_prime(2**89 - 1), is_probable_prime(2**83 - 1))
