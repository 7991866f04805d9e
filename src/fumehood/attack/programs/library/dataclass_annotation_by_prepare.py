# aim: inject source text through annotations that the metaclass prepared
# mechanism: __prepare__ returns a namespace that already has annotations
# language: builtins
# reason: the library executes text unguarded, and with the real builtins
# jail: process
# plain: loot

import dataclasses


class Meta(type):
    @classmethod
    def __prepare__(mcs, name, bases):
        return {"__annotations__": {"x, self.sink(open)": int}}


class Record(metaclass=Meta):
    x = 0

    def sink(self, found):
        loot(found)
        return 0


dataclasses.dataclass(Record, init=False, repr=False, eq=False, unsafe_hash=True, match_args=False)
hash(Record())
