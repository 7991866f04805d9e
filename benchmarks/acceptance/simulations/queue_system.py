"""A bank with two counters: customers arrive and wait."""
import heapq
import random
from statistics import mean


def simulate(customers, counters, seed):
    generator = random.Random(seed)
    free = [0.0] * counters
    arrival, waits = 0.0, []
    for _ in range(customers):
        arrival += generator.expovariate(1 / 3)
        start = max(arrival, heapq.heappop(free))
        waits.append(start - arrival)
        heapq.heappush(free, start + generator.uniform(2, 7))
    return waits


for counters in (1, 2, 3):
    waits = simulate(200, counters, seed=7)
    print(counters, f"mean {mean(waits):.2f}", f"max {max(waits):.2f}", sum(wait == 0 for wait in waits))
