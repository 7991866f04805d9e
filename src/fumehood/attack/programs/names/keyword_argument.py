# aim: plant a module specification under the name of a keyword argument
# mechanism: a keyword name becomes a key of the globals
# language: builtins
# reason: __spec__ decides what a relative import imports, however it came into the namespace
# jail: process
# plain: loot

import types

spec = types.SimpleNamespace(parent="importlib")
globals().update(__spec__=spec)
from . import util

loot(util)
