# aim: make the builtin the attribute hook of a class
# mechanism: __getattr__ = a function that reads by name
# language: builtins
# reason: computed names obey the same tables as spelled ones
# jail: process
# plain: loot

import functools
import json


class Window:
    __getattr__ = staticmethod(functools.partial(getattr, json.dumps))


loot(getattr(Window(), "__glo" + "bals__"))
