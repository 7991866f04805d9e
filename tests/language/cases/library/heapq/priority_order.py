# A heap gives the smallest first, merges sorted inputs and finds extremes.
import heapq
from heapq import heapify, heappop, heappush

heap = []
for task in [(5, "write"), (1, "plan"), (3, "code")]:
    heappush(heap, task)
print([heappop(heap) for _ in range(len(heap))])
numbers = [9, 4, 7, 1, 8]
heapify(numbers)
print(numbers[0], heapq.heapreplace(numbers, 5), heapq.heappushpop(numbers, 0))
print(heapq.nlargest(2, [3, 8, 1, 9]), heapq.nsmallest(2, ["ccc", "a", "bb"], key=len))
print(list(heapq.merge([1, 4], [2, 3], [0, 9])), list(heapq.merge("ca", "db", reverse=True)))
try:
    heappop([])
except IndexError as error:
    print(error)
sorted(numbers)
