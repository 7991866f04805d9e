import bisect
from array import array


def grade(score, bounds=(60, 70, 80, 90), letters="FDCBA"):
    return letters[bisect.bisect(bounds, score)]


class Ranges:
    """Disjoint half-open ranges."""

    def __init__(self):
        self.edges = []

    def add(self, start, end):
        left, right = bisect.bisect_left(self.edges, start), bisect.bisect_right(self.edges, end)
        self.edges[left:right] = [start] * (left % 2 == 0) + [end] * (right % 2 == 0)

    def __contains__(self, value):
        return bisect.bisect_right(self.edges, value) % 2 == 1


print([grade(score) for score in (33, 60, 79, 90, 100)])
ranges = Ranges()
for start, end in ((1, 5), (10, 15), (4, 11), (20, 22)):
    ranges.add(start, end)
print(ranges.edges, 12 in ranges, 15 in ranges, 21 in ranges)
people = [("ann", 20), ("bob", 30), ("cy", 40)]
print(bisect.bisect_left(people, 30, key=lambda person: person[1]))
numbers = array("d", [1.5, 2.5])
bisect.insort(numbers, 2.0)
print(numbers, numbers.itemsize, numbers.tobytes()[:4], array("b", b"ab").tolist())
try:
    array("i", [1.5])
except TypeError as error:
    print(error)
