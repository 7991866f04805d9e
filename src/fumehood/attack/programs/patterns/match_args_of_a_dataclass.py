# aim: let a dataclass write the names from its annotations
# mechanism: a field with the name of a frame attribute
# language: guard
# reason: a positional class pattern reads the attributes that __match_args__ names
# jail: process
# plain: loot

import dataclasses


class Anything(type):
    def __instancecheck__(cls, obj):
        return True


@dataclasses.dataclass
class Pattern(metaclass=Anything):
    gi_frame: object = None


def steps():
    yield


match steps():
    case Pattern(found):
        loot(found)
