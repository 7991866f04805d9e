# aim: make a table out of any memory address
# mechanism: the interchange protocol describes columns by pointers
# language: view
# reason: a table over a chosen address reads the memory of the process
# jail: process
# plain: loot
# imports: pandas

import enum

import pandas

target = b"immutable bytes of the program"


class Kind(enum.IntEnum):
    UINT = 1


class Describes:
    def __init__(self, **facts):
        self.facts = facts

    def __deepcopy__(self, memo):
        return self

    def __getattr__(self, name):
        if name in self.facts:
            return self.facts[name]
        if name == "__dataframe__":
            return lambda **options: self
        raise AttributeError(name)


buffer = Describes(ptr=id(target) + 32, bufsize=9)
column = Describes(
    dtype=(Kind.UINT, 8, "C", "="),
    offset=0,
    size=lambda: 9,
    null_count=0,
    describe_null=(0, None),
    num_chunks=lambda: 1,
    get_buffers=lambda: {"data": (buffer, (Kind.UINT, 8, "C", "=")), "validity": None, "offsets": None},
)
table = Describes(
    column_names=lambda: ["a"],
    get_column_by_name=lambda name: column,
    get_chunks=lambda: [table],
    num_chunks=lambda: 1,
    num_rows=lambda: 9,
    metadata={},
)
read = pandas.api.interchange.from_dataframe(table)
if bytes(read["a"].tolist()) == target[:9]:
    loot("mutated: memory was read by its address")
