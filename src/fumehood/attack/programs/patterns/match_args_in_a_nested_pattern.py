# aim: put the positional pattern deep inside other patterns
# mechanism: sequence, mapping, or and alias patterns around it
# language: guard
# reason: every positional class pattern is guarded, at any depth
# jail: process
# plain: loot

import json


class Anything(type):
    def __instancecheck__(cls, obj):
        return True


class Pattern(metaclass=Anything):
    __match_args__ = ("__glo" + "bals__",)


match [{"key": (1, json.dumps)}]:
    case [{"key": (1, (Pattern([found]) | Pattern(found)) as whole)}] if loot(found):
        pass
