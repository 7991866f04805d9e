# aim: let copy update the dictionary of a library object
# mechanism: copy.copy updates __dict__ of whatever the constructor returned
# language: builtins
# reason: library objects are shared by every session and by the host
# jail: process
# plain: loot

import copy
import reprlib


class Carrier:
    def __reduce_ex__(self, protocol):
        return (lambda: reprlib.aRepr), (), {"maxstring": 3}


copy.copy(Carrier())
# --- second executor
import reprlib

if reprlib.repr("a text that is longer than three") == "...":
    loot("mutated: reprlib.aRepr")
