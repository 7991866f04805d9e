# aim: set the package of the namespace by a with statement
# mechanism: the target of a with item
# language: check
# reason: __package__ decides what a relative import imports
# jail: process
# plain: loot

import contextlib

with contextlib.nullcontext("importlib") as __package__:
    from . import util

    loot(util)
