# aim: inject source text through annotations in the dictionary of a class
# mechanism: type() with three arguments
# language: builtins
# reason: the library executes text unguarded, and with the real builtins
# jail: process
# plain: loot

import dataclasses

names = {"x": 0, "sink": lambda self, found: loot(found) or 0, "__annotations__": {"x, self.sink(open)": int}}
Record = type("Record", (), names)
dataclasses.dataclass(init=False, repr=False, eq=False, unsafe_hash=True, match_args=False)(Record)
hash(Record())
