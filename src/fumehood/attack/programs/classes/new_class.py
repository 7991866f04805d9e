# aim: make a class with types.new_class and a body that writes forbidden keys
# mechanism: exec_body is given the namespace
# language: guard
# reason: a positional class pattern reads the attributes that __match_args__ names
# jail: process
# plain: loot

import json
import types


class Anything(type):
    def __instancecheck__(cls, obj):
        return True


def body(namespace):
    namespace["__match_args__"] = ("__glo" + "bals__",)


Pattern = types.new_class("Pattern", (), {"metaclass": Anything}, body)
match json.dumps:
    case Pattern(found):
        loot(found)
