# Field names of a namedtuple must be identifiers, and may be renamed.
from collections import namedtuple

for bad in (["class"], ["a", "a"], ["_hidden"], ["two words"]):
    try:
        namedtuple("Bad", bad)
    except ValueError as error:
        print(error)
print(namedtuple("Renamed", ["a", "def", "a"], rename=True)._fields)
Row = namedtuple("Row", "id, name")
rows = [Row(*fields) for fields in zip(range(2), "ab")]
try:
    Row(1)
except TypeError as error:
    print(error)
rows
