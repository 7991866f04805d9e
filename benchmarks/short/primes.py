seed = 0
limit = 12_000 + seed
sieve = bytearray([1]) * (limit + 1)
sieve[:2] = b"\0\0"
for n in range(2, int(limit**0.5) + 1):
    if sieve[n]:
        sieve[n * n :: n] = bytes(len(range(n * n, limit + 1, n)))
primes = [n for n in range(limit + 1) if sieve[n]]
twins = sum(b - a == 2 for a, b in zip(primes, primes[1:]))
(len(primes), twins)
