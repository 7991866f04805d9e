# Inherit the names that a positional pattern reads.
# mechanism: __match_args__ of a base class
# stopped by: guard
# reason: a positional class pattern reads the attributes that __match_args__ names

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
