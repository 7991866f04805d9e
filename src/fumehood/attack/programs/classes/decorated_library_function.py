# aim: decorate nothing: call a decorator with a library function
# mechanism: the argument of a decorator is chosen by the caller
# language: check
# reason: a module's namespace holds the real builtins and every module it imported
# jail: process
# plain: loot

import json


def take_apart(function):
    return function.__globals__


loot(take_apart(json.dumps))
