# aim: set an attribute of an object that the library shares
# mechanism: reprlib.aRepr is one object for the whole process
# language: run
# reason: library objects are shared by every session and by the host
# jail: process
# plain: loot

import reprlib

reprlib.aRepr.maxstring = 3
# --- second executor
import reprlib

if reprlib.repr("a text that is longer than three") == "...":
    loot("mutated: reprlib.aRepr")
