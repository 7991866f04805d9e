"""Lazy pipelines: recursive `yield from`, endless streams, and generators that are sent values."""

from itertools import islice


class Node:
    def __init__(self, value):
        self.value = value
        self.left = None
        self.right = None

    def __iter__(self):
        if self.left is not None:
            yield from self.left
        yield self.value
        if self.right is not None:
            yield from self.right


def grow(low, high):
    if low >= high:
        return None
    middle = (low + high) // 2
    node = Node(middle)
    node.left = grow(low, middle)
    node.right = grow(middle + 1, high)
    return node


def pseudo_random(seed):
    while True:
        seed = (seed * 1103515245 + 12345) % 2147483648
        yield seed >> 8


def windows(stream, width):
    window = []
    for item in stream:
        window.append(item)
        if len(window) > width:
            del window[0]
        if len(window) == width:
            yield tuple(window)


def running_mean():
    total = count = 0
    mean = None
    while True:
        total += yield mean
        count += 1
        mean = total // count


def pipeline(size):
    walked = sum(value for value in grow(0, size))
    rising = sum(1 for a, b, c in windows(islice(pseudo_random(7), size), 3) if a < b < c)
    averager = running_mean()
    next(averager)
    means = [averager.send(value) for value in islice(pseudo_random(11), size)]
    averager.close()
    return walked, rising, means[-1]


pipeline(60_000)
