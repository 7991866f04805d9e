# aim: make library functions virtual instances by registration
# mechanism: ABC.register instead of __instancecheck__
# language: guard
# reason: a positional class pattern reads the attributes that __match_args__ names
# jail: process
# plain: loot

import abc
import json


class Pattern(abc.ABC):
    __match_args__ = ("__glo" + "bals__",)


Pattern.register(type(json.dumps))
match json.dumps:
    case Pattern(found):
        loot(found)
