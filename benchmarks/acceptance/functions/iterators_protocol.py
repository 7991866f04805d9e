class Countdown:
    def __init__(self, start):
        self.start = start

    def __iter__(self):
        return CountdownIterator(self.start)

    def __len__(self):
        return self.start

    def __contains__(self, item):
        return 0 < item <= self.start

    def __reversed__(self):
        return iter(range(1, self.start + 1))


class CountdownIterator:
    def __init__(self, current):
        self.current = current

    def __iter__(self):
        return self

    def __next__(self):
        if self.current <= 0:
            raise StopIteration
        self.current -= 1
        return self.current + 1


countdown = Countdown(4)
print(list(countdown), list(reversed(countdown)), 3 in countdown, 9 in countdown, len(countdown))
first, *middle, last = countdown
print(first, middle, last, max(countdown), dict(zip("ab", countdown)))
it = iter(countdown)
print(next(it), next(it), list(it), next(it, "done"))
print(list(iter(iter([3, 2, 0, 1]).__next__, 0)), [*map(lambda a, b: a - b, countdown, [1, 1])])
print(any(n > 3 for n in countdown), all(countdown), sorted(countdown, key=lambda n: n % 2), {n: n**2 for n in countdown})
next(iter([]))
