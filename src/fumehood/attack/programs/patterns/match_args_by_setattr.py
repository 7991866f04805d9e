# aim: set the names that a positional pattern reads after the class is made
# mechanism: setattr with a name every class may define
# language: guard
# reason: a positional class pattern reads the attributes that __match_args__ names
# jail: process
# plain: loot

import json


class Anything(type):
    def __instancecheck__(cls, obj):
        return True


class Pattern(metaclass=Anything):
    pass


setattr(Pattern, "__match_args__", ("__glo" + "bals__",))
match json.dumps:
    case Pattern(found):
        loot(found)
