# aim: let dataclasses write the names while the interpreter asks whether the subject is an instance
# mechanism: __instancecheck__ runs after the names were looked at and before they are read
# language: guard
# reason: names that were checked must be the names that are read
# jail: process
# plain: loot

import dataclasses


class Anything(type):
    def __instancecheck__(cls, obj):
        dataclasses.dataclass(cls)
        return True


class Pattern(metaclass=Anything):
    gi_frame: object = None


def steps():
    yield


match steps():
    case Pattern(found):
        loot(found)
