# aim: write into the dictionary of an object that the library shares
# mechanism: vars() of an instance
# language: run
# reason: library objects are shared by every session and by the host
# jail: process
# plain: loot

import reprlib

vars(reprlib.aRepr)["maxother"] = 3
# --- second executor
import reprlib

if reprlib.aRepr.maxother == 3:
    loot("mutated: reprlib.aRepr")
