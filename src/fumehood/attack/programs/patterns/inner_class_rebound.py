# aim: rebind the class of an inner pattern while an attribute of the subject is read
# mechanism: a property of the subject runs between the look and the match
# language: guard
# reason: the class that was checked must be the class that is matched
# jail: process
# plain: loot

import json


class Everything(type):
    def __instancecheck__(cls, obj):
        return True


class Inner(metaclass=Everything):
    __match_args__ = ("__doc__",)


class Harmful(metaclass=Everything):
    __match_args__ = ("__glo" + "bals__",)


class Subject:
    @property
    def function(self):
        global Inner
        Inner = Harmful
        return json.dumps


match Subject():
    case Subject(function=Inner(found)):
        loot(found)
