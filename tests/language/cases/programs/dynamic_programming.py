# Edit distance, longest common subsequence, coin change and knapsack.
from functools import cache


def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        previous, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (x != y))
    return row[-1]


def longest_common(a, b):
    @cache
    def solve(i, j):
        if i == len(a) or j == len(b):
            return ""
        if a[i] == b[j]:
            return a[i] + solve(i + 1, j + 1)
        return max(solve(i + 1, j), solve(i, j + 1), key=len)

    return solve(0, 0)


def coin_ways(amount, coins):
    ways = [1] + [0] * amount
    for coin in coins:
        for value in range(coin, amount + 1):
            ways[value] += ways[value - coin]
    return ways[amount]


def knapsack(items, capacity):
    best = [(0, ())] * (capacity + 1)
    for name, weight, value in items:
        for room in range(capacity, weight - 1, -1):
            candidate = (best[room - weight][0] + value, best[room - weight][1] + (name,))
            best[room] = max(best[room], candidate)
    return best[capacity]


print(edit_distance("kitten", "sitting"), longest_common("AGGTABQ", "GXTXAYBQ"))
print(coin_ways(100, [1, 5, 10, 25, 50]), coin_ways(3, [2]))
knapsack([("map", 9, 150), ("water", 153, 200), ("food", 50, 160), ("tent", 200, 150), ("knife", 5, 60)], 220)
