from functools import lru_cache


def knapsack(items, capacity):
    best = [(0, ())] * (capacity + 1)
    for name, weight, value in items:
        for room in range(capacity, weight - 1, -1):
            total, names = best[room - weight]
            best[room] = max(best[room], (total + value, names + (name,)))
    return best[capacity]


def lcs(a, b):
    @lru_cache(None)
    def longest(i, j):
        if i == len(a) or j == len(b):
            return ""
        if a[i] == b[j]:
            return a[i] + longest(i + 1, j + 1)
        return max(longest(i + 1, j), longest(i, j + 1), key=len)

    return longest(0, 0)


def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        previous, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (x != y))
    return row[-1]


print(knapsack([("map", 9, 150), ("compass", 13, 35), ("water", 15, 200), ("tin", 6, 60)], 30))
print(lcs("AGGTAB", "GXTXAYB"), edit_distance("kitten", "sitting"), edit_distance("", "abc"))


def coins(amount, kinds=(1, 5, 10, 25)):
    ways = [1] + [0] * amount
    for kind in kinds:
        for total in range(kind, amount + 1):
            ways[total] += ways[total - kind]
    return ways[amount]


print(coins(100), coins(7))
