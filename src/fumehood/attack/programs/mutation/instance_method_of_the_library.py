# aim: give an object that the library shares a method of the program's
# mechanism: a method set on an instance is called by library code
# language: run
# reason: library objects are shared by every session and by the host
# jail: process
# plain: loot

import reprlib

reprlib.aRepr.repr_str = lambda text, level: "changed"
# --- second executor
import reprlib

if reprlib.repr("text") == "changed":
    loot("mutated: reprlib.aRepr")
