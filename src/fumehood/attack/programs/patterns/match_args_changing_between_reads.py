# aim: show harmless names to the first reader and forbidden ones to the next
# mechanism: a metaclass property with a memory
# language: guard
# reason: names that were checked must be the names that are read
# jail: process
# plain: loot

import json


class Anything(type):
    reads = 0

    def __instancecheck__(cls, obj):
        return True

    @property
    def __match_args__(cls):
        Anything.reads += 1
        return ("__doc__",) if Anything.reads in harmless else ("__glo" + "bals__",)


class Pattern(metaclass=Anything):
    pass


for harmless in (range(2), range(3), range(2, 99)):
    Anything.reads = 0
    match json.dumps:
        case Pattern(found):
            loot(found)
