# Timers as context managers, with a clock that only moves when told.
from contextlib import contextmanager


class FakeClock:
    def __init__(self):
        self.time = 100.0

    def __call__(self):
        return self.time

    def advance(self, seconds):
        self.time += seconds


class Timer:
    depth = 0

    def __init__(self, label, clock, results):
        self.label, self.clock, self.results = label, clock, results

    def __enter__(self):
        self.start = self.clock()
        Timer.depth += 1
        return self

    def __exit__(self, kind, error, trace):
        Timer.depth -= 1
        self.elapsed = self.clock() - self.start
        status = "failed" if kind else "ok"
        self.results.append((self.label, round(self.elapsed, 3), status))
        print("  " * Timer.depth + f"{self.label}: {self.elapsed:.2f}s {status}")
        return False


@contextmanager
def budget(clock, seconds):
    start = clock()
    yield lambda: seconds - (clock() - start)
    if clock() - start > seconds:
        print("over budget")


clock, results = FakeClock(), []
with Timer("outer", clock, results), budget(clock, 3) as left:
    clock.advance(1.5)
    print("left", left())
    with Timer("inner", clock, results) as inner:
        clock.advance(2)
    try:
        with Timer("broken", clock, results):
            clock.advance(0.25)
            raise RuntimeError("boom")
    except RuntimeError as error:
        print("caught", error)
print(inner.elapsed, Timer.depth)
results
