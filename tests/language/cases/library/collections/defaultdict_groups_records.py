# A defaultdict builds groups, nested tables and can be made with a lambda.
from collections import defaultdict

pairs = [("fruit", "apple"), ("root", "carrot"), ("fruit", "pear")]
groups = defaultdict(list)
for kind, name in pairs:
    groups[kind].append(name)
print(dict(groups))

table = defaultdict(lambda: defaultdict(int))
for row, column in [(0, 0), (0, 1), (0, 0), (2, 1)]:
    table[row][column] += 1
print({row: dict(columns) for row, columns in table.items()})

limits = defaultdict(lambda: 100, cpu=4)
print(limits["cpu"], limits["memory"], "disk" in limits)
print(groups.default_factory is list)
defaultdict(int, a=1)
