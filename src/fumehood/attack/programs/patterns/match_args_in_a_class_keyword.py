# aim: put the positional pattern into the keyword of another class pattern
# mechanism: a positional pattern as the value of a keyword pattern
# language: guard
# reason: every positional class pattern is guarded, at any depth
# jail: process
# plain: loot

import functools
import json


class Anything(type):
    def __instancecheck__(cls, obj):
        return True


class Pattern(metaclass=Anything):
    __match_args__ = ("__glo" + "bals__",)


match functools.partial(json.dumps):
    case functools.partial(func=Pattern(found)):
        loot(found)
