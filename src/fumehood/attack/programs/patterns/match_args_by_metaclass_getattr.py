# aim: answer the question for the names in the __getattr__ of the metaclass
# mechanism: __getattr__ of a metaclass
# language: guard
# reason: a positional class pattern reads the attributes that __match_args__ names
# jail: process
# plain: loot

import json


class Anything(type):
    def __instancecheck__(cls, obj):
        return True

    def __getattr__(cls, name):
        return ("__glo" + "bals__",)


class Pattern(metaclass=Anything):
    pass


match json.dumps:
    case Pattern(found):
        loot(found)
