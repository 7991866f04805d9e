# A simulation of a queue at a counter with seeded random arrivals.
import heapq
import random
import statistics
from dataclasses import dataclass, field


@dataclass(order=True)
class Event:
    time: float
    kind: str = field(compare=False)
    customer: int = field(compare=False)


class Simulation:
    def __init__(self, seed, tellers=2):
        self.random = random.Random(seed)
        self.free = tellers
        self.waiting, self.events = [], []
        self.waits = {}

    def schedule(self, delay, kind, customer, now=0.0):
        heapq.heappush(self.events, Event(now + delay, kind, customer))

    def run(self, customers):
        arrival = 0.0
        for number in range(customers):
            arrival += self.random.expovariate(1 / 2)
            self.schedule(arrival, "arrive", number)
        while self.events:
            event = heapq.heappop(self.events)
            getattr(self, f"on_{event.kind}")(event)
        return self

    def on_arrive(self, event):
        self.waiting.append((event.customer, event.time))
        self.serve(event.time)

    def on_leave(self, event):
        self.free += 1
        self.serve(event.time)

    def serve(self, now):
        while self.free and self.waiting:
            customer, since = self.waiting.pop(0)
            self.free -= 1
            self.waits[customer] = now - since
            self.schedule(self.random.uniform(1, 6), "leave", customer, now)


simulation = Simulation(seed=3).run(50)
waits = list(simulation.waits.values())
print(len(waits), simulation.free, f"{statistics.mean(waits):.4f}", f"{max(waits):.4f}")
again = list(Simulation(seed=3).run(50).waits.values())
print(waits == again)
sum(wait == 0 for wait in waits)
