# aim: let a namedtuple write the names from its fields
# mechanism: namedtuple sets __match_args__ from strings
# language: guard
# reason: a positional class pattern reads the attributes that __match_args__ names
# jail: process
# plain: loot

import collections


class Anything(type):
    def __instancecheck__(cls, obj):
        return True


class Pattern(collections.namedtuple("Fields", "gi_" + "frame"), metaclass=Anything):
    pass


def steps():
    yield


match steps():
    case Pattern(found):
        loot(found)
