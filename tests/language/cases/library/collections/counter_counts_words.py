# Counter counts, adds, subtracts and lists the most common elements.
from collections import Counter

words = "the cat and the hat and the bat".split()
counts = Counter(words)
print(counts["the"], counts["dog"])
print(counts.most_common(2))
other = Counter(and_=1, the=1)
other["and"] += 3
print(sorted((counts + other).items()))
print(sorted((counts - other).items()))
print(sorted((counts & other).items()), sorted((counts | other).items()))
counts.update(["cat", "cat"])
counts.subtract({"hat": 2})
print(sorted(counts.elements()))
counts.total()
