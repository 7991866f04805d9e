# aim: let warnings replace the constructor of a library class
# mechanism: warnings.deprecated sets __new__ on the class it is given
# language: view
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot
# python: 3.13+

import collections
import warnings

warnings.deprecated("escaped")(collections.Counter)
# --- second executor
import collections

if hasattr(collections.Counter, "__deprecated__"):
    loot("mutated: collections.Counter")
