# aim: compute the name that a positional pattern reads
# mechanism: __match_args__ is an expression
# language: guard
# reason: a positional class pattern reads the attributes that __match_args__ names
# jail: process
# plain: loot

import json


class Anything(type):
    def __instancecheck__(cls, obj):
        return True


class Pattern(metaclass=Anything):
    __match_args__ = ("__glo" + "bals__",)


match json.dumps:
    case Pattern(found):
        loot(found)
