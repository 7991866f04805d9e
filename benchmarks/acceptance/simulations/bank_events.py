import heapq
import itertools


class Simulator:
    """Processes are generators that yield how long they wait."""

    def __init__(self):
        self.now, self.queue, self.ids = 0, [], itertools.count()

    def spawn(self, process, delay=0):
        heapq.heappush(self.queue, (self.now + delay, next(self.ids), process))

    def run(self, until):
        while self.queue and self.queue[0][0] <= until:
            self.now, _, process = heapq.heappop(self.queue)
            try:
                self.spawn(process, next(process))
            except StopIteration:
                pass


def car(simulator, name, drive, park):
    while True:
        print(f"{simulator.now:>3}: {name} parks")
        yield park
        print(f"{simulator.now:>3}: {name} drives")
        yield drive


simulator = Simulator()
simulator.spawn(car(simulator, "red", 2, 5))
simulator.spawn(car(simulator, "blue", 3, 3), delay=1)
simulator.run(15)
