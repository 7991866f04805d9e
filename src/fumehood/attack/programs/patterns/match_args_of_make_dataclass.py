# aim: let a dataclass write the names from its fields
# mechanism: make_dataclass sets __match_args__ from strings
# language: guard
# reason: a positional class pattern reads the attributes that __match_args__ names
# jail: process
# plain: loot

import dataclasses
import json


class Anything(type):
    def __instancecheck__(cls, obj):
        return True


class Base(metaclass=Anything):
    pass


Pattern = dataclasses.make_dataclass("Pattern", ["__glo" + "bals__"], bases=(Base,))
match json.dumps:
    case Pattern(found):
        loot(found)
