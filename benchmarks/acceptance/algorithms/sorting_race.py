import random


def quick(items):
    if len(items) < 2:
        return items
    pivot = items[len(items) // 2]
    return quick([i for i in items if i < pivot]) + [i for i in items if i == pivot] + quick([i for i in items if i > pivot])


def merge(items):
    if len(items) < 2:
        return items
    left, right, out = merge(items[: len(items) // 2]), merge(items[len(items) // 2 :]), []
    while left and right:
        out.append((left if left[0] <= right[0] else right).pop(0))
    return out + left + right


def insertion(items):
    items = list(items)
    for i in range(1, len(items)):
        while i and items[i - 1] > items[i]:
            items[i - 1], items[i] = items[i], items[i - 1]
            i -= 1
    return items


def radix(items):
    for shift in range(0, 16, 4):
        buckets = [[] for _ in range(16)]
        for item in items:
            buckets[item >> shift & 15].append(item)
        items = [item for bucket in buckets for item in bucket]
    return items


data = random.Random(3).sample(range(60_000), 200)
for sort in (quick, merge, insertion, radix, sorted):
    result = sort(data)
    print(f"{sort.__name__:<10}", result == sorted(data), result[:3], result[-1])
print(sorted(["b", "A", "c"], key=str.lower), sorted([(2, "b"), (1, "z"), (2, "a")], key=lambda p: (-p[0], p[1])))
