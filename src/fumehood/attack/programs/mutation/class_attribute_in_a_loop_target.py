# aim: replace a method of a library class in a loop header
# mechanism: an attribute as the target of a for loop
# language: run
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot

import string

for string.Formatter.escaped in [1]:
    pass
# --- second executor
import string

if hasattr(string.Formatter, "escaped"):
    loot("mutated: string.Formatter")
