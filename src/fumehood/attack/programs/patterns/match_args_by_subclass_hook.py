# aim: accept every class in a subclass hook
# mechanism: __subclasshook__ instead of __instancecheck__
# language: guard
# reason: a positional class pattern reads the attributes that __match_args__ names
# jail: process
# plain: loot

import abc
import json


class Pattern(abc.ABC):
    __match_args__ = ("__co" + "de__",)

    @classmethod
    def __subclasshook__(cls, other):
        return True


match json.dumps:
    case Pattern(found):
        loot(found)
