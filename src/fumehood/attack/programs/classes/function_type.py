# aim: make a function whose globals are those of a library module
# mechanism: types.FunctionType with a namespace of choice
# language: builtins
# reason: functions are made by def and lambda
# jail: process
# plain: loot

import json
import types


def template():
    return __builtins__


made = types.FunctionType(getattr(template, "__code__"), getattr(json.dumps, "__globals__"))
loot(made())
