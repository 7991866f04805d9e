"""List, set, dict and generator comprehensions, nested and filtered."""


def sieve(limit):
    composite = {multiple for n in range(2, int(limit**0.5) + 1) for multiple in range(n * n, limit, n)}
    return [n for n in range(2, limit) if n not in composite]


def matrix_product(a, b):
    columns = [[row[j] for row in b] for j in range(len(b[0]))]
    return [[sum(x * y for x, y in zip(row, column)) for column in columns] for row in a]


def right_triangles(limit):
    squares = {n * n: n for n in range(1, 2 * limit)}
    legs = ((a, b, a * a + b * b) for a in range(1, limit) for b in range(a, limit))
    return [(a, b, squares[total]) for a, b, total in legs if total in squares]


def report(size):
    primes = sieve(size * 120)
    by_last_digit = {digit: [p for p in primes if p % 10 == digit] for digit in range(10)}
    left = [[(i * j) % 7 for j in range(size // 5)] for i in range(size // 5)]
    product = matrix_product(left, [[i + j for j in range(size // 5)] for i in range(size // 5)])
    triangles = right_triangles(size)
    flat = [value for row in product for value in row if value % 3]
    endings = {digit: len(found) for digit, found in by_last_digit.items() if found}
    return len(primes), endings, len(triangles), sum(flat)


report(500)
