# aim: turn an object of the program's into one of another class by setattr
# mechanism: setattr of __class__ on a module
# language: builtins
# reason: a library object keeps its class
# jail: process
# plain: loot

import json
import types


class Watched(types.ModuleType):
    def __getattribute__(self, name):
        return "changed" if name == "dumps" else super().__getattribute__(name)


setattr(json, "__class__", Watched)
# --- second executor
import json

if json.dumps == "changed":
    loot("mutated: the json module's class")
