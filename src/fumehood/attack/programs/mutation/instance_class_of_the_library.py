# aim: give an object that the library shares another class
# mechanism: __class__ as an assignment target
# language: run
# reason: library objects are shared by every session and by the host
# jail: process
# plain: loot

import reprlib


class Mine(reprlib.Repr):
    def repr1(self, x, level):
        return "changed"


reprlib.aRepr.__class__ = Mine
# --- second executor
import reprlib

if reprlib.aRepr.repr(1) == "changed":
    loot("mutated: reprlib.aRepr")
