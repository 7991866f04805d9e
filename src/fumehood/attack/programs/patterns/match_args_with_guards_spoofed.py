# aim: answer for the guard in a class body whose namespace is the program's own
# mechanism: names in a class body are looked up in the mapping that __prepare__ returned, unspellable ones too
# language: guard
# reason: the guard must not be found by a name that a namespace of the program's can answer for
# jail: process
# plain: loot

import json


class Anything(type):
    def __instancecheck__(cls, obj):
        return True


class Pattern(metaclass=Anything):
    __match_args__ = ("__glo" + "bals__",)


class Spoof(dict):
    def __missing__(self, name):
        if name.isidentifier():
            raise KeyError(name)
        return lambda *args, **kwargs: args[-1] if args else None


class Meta(type):
    @classmethod
    def __prepare__(mcs, name, bases):
        return Spoof()


class Body(metaclass=Meta):
    match json.dumps:
        case Pattern(found):
            loot(found)
