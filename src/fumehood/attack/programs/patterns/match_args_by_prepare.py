# aim: put the names into the class body's namespace before it runs
# mechanism: __prepare__ of the metaclass
# language: guard
# reason: a positional class pattern reads the attributes that __match_args__ names
# jail: process
# plain: loot

import json


class Anything(type):
    @classmethod
    def __prepare__(mcs, name, bases):
        return {"__match_args__": ("__glo" + "bals__",)}

    def __instancecheck__(cls, obj):
        return True


class Pattern(metaclass=Anything):
    pass


match json.dumps:
    case Pattern(found):
        loot(found)
