# aim: rebind the class of the second alternative while the first is tried
# mechanism: all classes of a case are looked at before the first of them runs code
# language: guard
# reason: the class that was checked must be the class that is matched
# jail: process
# plain: loot

import json


class Rebinding(type):
    def __instancecheck__(cls, obj):
        global Second
        Second = Harmful
        return False


class First(metaclass=Rebinding):
    __match_args__ = ("__doc__",)


class Everything(type):
    def __instancecheck__(cls, obj):
        return True


class Second(metaclass=Everything):
    __match_args__ = ("__doc__",)


class Harmful(metaclass=Everything):
    __match_args__ = ("__glo" + "bals__",)


match json.dumps:
    case First(found) | Second(found):
        loot(found)
