# aim: inherit the names that a positional pattern reads
# mechanism: __match_args__ of a base class
# language: guard
# reason: a positional class pattern reads the attributes that __match_args__ names
# jail: process
# plain: loot

import json


class Names:
    __match_args__ = tuple(["_".join(["", "", "globals", "", ""])])


class Anything(type):
    def __instancecheck__(cls, obj):
        return True


class Pattern(Names, metaclass=Anything):
    pass


match json.dumps:
    case Pattern(found):
        loot(found)
