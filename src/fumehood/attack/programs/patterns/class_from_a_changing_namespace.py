# aim: let the class of a pattern be another one at every look-up of its name
# mechanism: names in a class body are looked up in the mapping that __prepare__ returned
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


class Meta(type):
    @classmethod
    def __prepare__(mcs, name, bases):
        return Changing()


for allowed in range(4):
    try:

        class Body(metaclass=Meta):
            match json.dumps:
                case Pattern(found):
                    loot(found)
    except Exception:
        pass
