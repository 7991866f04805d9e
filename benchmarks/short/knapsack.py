seed = 0
items = [(1 + (seed + 7 * i) % 13, 10 + (seed * i + 5) % 37) for i in range(40)]
capacity = 250
best = [0] * (capacity + 1)
for weight, value in items:
    for room in range(capacity, weight - 1, -1):
        best[room] = max(best[room], best[room - weight] + value)
fractions = sorted((value / weight for weight, value in items), reverse=True)
share = best[capacity] / sum(value for _weight, value in items)
(best[capacity], round(share, 3), round(fractions[0], 2))
