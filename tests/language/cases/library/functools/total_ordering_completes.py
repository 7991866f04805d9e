# The total_ordering decorator completes the comparison methods of a class.
from functools import total_ordering


@total_ordering
class Version:
    def __init__(self, text):
        self.parts = tuple(int(part) for part in text.split("."))

    def __eq__(self, other):
        if not isinstance(other, Version):
            return NotImplemented
        return self.parts == other.parts

    def __lt__(self, other):
        if not isinstance(other, Version):
            return NotImplemented
        return self.parts < other.parts

    def __repr__(self):
        return "v" + ".".join(map(str, self.parts))


versions = [Version("1.10"), Version("1.2"), Version("1.9.3")]
print(sorted(versions), max(versions), Version("1.2") >= Version("1.2"))
try:
    Version("1.0") <= 5
except TypeError as error:
    print(error)
Version("2.0") > Version("1.99")
