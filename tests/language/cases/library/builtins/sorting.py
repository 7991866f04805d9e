# Sorting is stable and takes keys, directions and methods of the items.
words = ["banana", "Apple", "cherry", "fig", "date"]
print(sorted(words), sorted(words, key=str.lower), sorted(words, key=len, reverse=True))
people = [("Ann", 30), ("Bob", 25), ("Cy", 30)]
print(sorted(people, key=lambda p: (-p[1], p[0])))
people.sort(key=lambda p: p[1])
print(people, sorted({"b": 2, "a": 1}), sorted("hello"), sorted({3, 1, 2}, reverse=True))


class Card:
    def __init__(self, rank):
        self.rank = rank

    def __lt__(self, other):
        return self.rank < other.rank

    def __repr__(self):
        return f"Card({self.rank})"


print(sorted([Card(3), Card(1), Card(2)]), min(Card(5), Card(4)))
try:
    sorted([1, "a"])
except TypeError as error:
    print(error)
[1, 2].sort()
