# aim: let the class of a pattern be another one at every look-up, in executed text
# mechanism: exec with a locals mapping of the program's own
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


class Changing(dict):
    looks = 0

    def __missing__(self, name):
        if name != "Pattern":
            raise KeyError(name)
        self.looks += 1
        return Harmful if self.looks > allowed else Harmless


for allowed in range(4):
    found = None
    try:
        exec("match json.dumps:\n    case Pattern(found):\n        loot(found)\n", globals(), Changing())
    except Exception:
        pass
