# aim: compute the names at every read by a property of the metaclass
# mechanism: __match_args__ is looked up on the class, so the metaclass answers
# language: guard
# reason: a positional class pattern reads the attributes that __match_args__ names
# jail: process
# plain: loot

import json


class Anything(type):
    def __instancecheck__(cls, obj):
        return True

    @property
    def __match_args__(cls):
        return ("__glo" + "bals__",)


class Pattern(metaclass=Anything):
    pass


match json.dumps:
    case Pattern(found):
        loot(found)
