# Generators can serve as tasks of a round-robin scheduler.
from collections import deque


def task(name, n):
    for step in range(n):
        print(name, step)
        yield
    return name


def run(*tasks):
    queue, finished = deque(tasks), []
    while queue:
        current = queue.popleft()
        try:
            next(current)
        except StopIteration as stop:
            finished.append(stop.value)
        else:
            queue.append(current)
    return finished


run(task("a", 2), task("b", 3), task("c", 1))
