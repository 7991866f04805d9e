# Sorting algorithms compared with sorted on seeded data.
import heapq
import random


def bubble(items):
    items = items[:]
    for end in range(len(items) - 1, 0, -1):
        swapped = False
        for i in range(end):
            if items[i] > items[i + 1]:
                items[i], items[i + 1] = items[i + 1], items[i]
                swapped = True
        if not swapped:
            break
    return items


def quick(items):
    if len(items) <= 1:
        return items
    pivot, *rest = items
    return quick([x for x in rest if x < pivot]) + [pivot] + quick([x for x in rest if x >= pivot])


def merge(items):
    if len(items) < 2:
        return items
    middle = len(items) // 2
    left, right = merge(items[:middle]), merge(items[middle:])
    result = []
    while left and right:
        result.append(left.pop(0) if left[0] <= right[0] else right.pop(0))
    return result + left + right


def heap(items):
    items = list(items)
    heapq.heapify(items)
    return [heapq.heappop(items) for _ in range(len(items))]


def counting(items):
    low = min(items, default=0)
    counts = [0] * (max(items, default=0) - low + 1)
    for x in items:
        counts[x - low] += 1
    return [x + low for x, n in enumerate(counts) for _ in range(n)]


random.seed(11)
samples = [[], [1], [2, 1], [3, 3, 3], [random.randint(-50, 50) for _ in range(60)]]
algorithms = [bubble, quick, merge, heap, counting]
for algorithm in algorithms:
    verdict = all(algorithm(sample) == sorted(sample) for sample in samples)
    print(f"{algorithm.__name__:>10} {'ok' if verdict else 'WRONG'}")
samples[-1][:5]
