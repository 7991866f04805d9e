# aim: redirect the standard output of the host and never end it
# mechanism: contextlib.redirect_stdout in a suspended generator
# language: builtins
# reason: what a cell prints to is its own
# jail: process
# plain: loot

import contextlib
import io


def suspended():
    with contextlib.redirect_stdout(io.StringIO("changed")):
        yield


left = suspended()
next(left)
# --- second executor
import sys

if getattr(sys.stdout, "getvalue", str)() == "changed":
    loot("mutated: sys.stdout")
