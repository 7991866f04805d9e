import heapq
import itertools
from dataclasses import dataclass, field


@dataclass(order=True)
class Task:
    priority: int
    number: int
    name: str = field(compare=False)


class Scheduler:
    def __init__(self):
        self._heap, self._counter = [], itertools.count()

    def add(self, name, priority):
        heapq.heappush(self._heap, Task(priority, next(self._counter), name))

    def __iter__(self):
        while self._heap:
            yield heapq.heappop(self._heap).name


scheduler = Scheduler()
for name, priority in (("write", 2), ("urgent", 0), ("read", 2), ("later", 9)):
    scheduler.add(name, priority)
print(list(scheduler))
numbers = [9, 4, 7, 1, 8]
print(heapq.nlargest(2, numbers), heapq.nsmallest(2, numbers), list(heapq.merge([1, 4], [2, 3], [0])))
heapq.heapify(numbers)
print(heapq.heappushpop(numbers, 0), heapq.heapreplace(numbers, 5), numbers[0])


def running_median(values):
    low, high = [], []
    for value in values:
        heapq.heappush(high, -heapq.heappushpop(low, -value))
        if len(high) > len(low):
            heapq.heappush(low, -heapq.heappop(high))
        yield -low[0] if len(low) > len(high) else (high[0] - low[0]) / 2


print(list(running_median([5, 2, 8, 1, 9])))
