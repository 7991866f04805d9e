# aim: overwrite everything in the globals whose name cannot be spelled
# mechanism: globals() hands out the namespace in which a guard may be kept
# language: guard
# reason: the guard must not be reachable by the program, under any key
# jail: process
# plain: loot

import json


class Anything(type):
    def __instancecheck__(cls, obj):
        return True


class Pattern(metaclass=Anything):
    __match_args__ = ("__glo" + "bals__",)


def agree(*args, **kwargs):
    return args[-1] if args else None


for name in list(globals()):
    if not str(name).isidentifier():
        globals()[name] = agree
match json.dumps:
    case Pattern(found):
        loot(found)
