"""Many short function calls: the largest singular value of an infinite matrix, cut to n by n."""

import math


def entry(i, j):
    return 1.0 / ((i + j) * (i + j + 1) // 2 + i + 1)


def times(vector):
    result = []
    for i in range(len(vector)):
        total = 0.0
        for j, value in enumerate(vector):
            total += entry(i, j) * value
        result.append(total)
    return result


def transposed_times(vector):
    result = []
    for i in range(len(vector)):
        total = 0.0
        for j, value in enumerate(vector):
            total += entry(j, i) * value
        result.append(total)
    return result


def spectral_norm(size, rounds=6):
    u = [1.0] * size
    for _ in range(rounds):
        v = transposed_times(times(u))
        u = transposed_times(times(v))
    along = sum(a * b for a, b in zip(u, v))
    return round(math.sqrt(along / sum(b * b for b in v)), 9)


spectral_norm(160, rounds=6)
