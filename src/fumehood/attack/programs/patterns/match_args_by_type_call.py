# aim: make the pattern class by calling its metaclass with a dictionary
# mechanism: type() with three arguments
# language: guard
# reason: a positional class pattern reads the attributes that __match_args__ names
# jail: process
# plain: loot

import json


class Anything(type):
    def __instancecheck__(cls, obj):
        return True


Pattern = Anything("Pattern", (), {"__match_args__": ("__glo" + "bals__",)})
match json.dumps:
    case Pattern(found):
        loot(found)
