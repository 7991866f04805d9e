# aim: let the class of a pattern be another one at every look
# mechanism: a dotted class name in a pattern may be a property
# language: guard
# reason: the class that was checked must be the class that is matched
# jail: process
# plain: loot

import json


class Anything(type):
    def __instancecheck__(cls, obj):
        return True


class Harmless(metaclass=Anything):
    __match_args__ = ("__doc__",)


class Harmful(metaclass=Anything):
    __match_args__ = ("__glo" + "bals__",)


class Shelf:
    looks = 0

    @property
    def pattern(self):
        self.looks += 1
        return Harmful if self.looks > allowed else Harmless


for allowed in (0, 1, 2):
    shelf = Shelf()
    match json.dumps:
        case shelf.pattern(found):
            loot(found)
