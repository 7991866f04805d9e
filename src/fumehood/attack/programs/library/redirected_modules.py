# aim: let contextlib replace an attribute of the real sys module
# mechanism: redirect_stdout calls setattr(sys, self._stream, target), and a subclass may choose the name
# language: builtins
# reason: the library writes names that the program chose
# jail: process
# plain: loot

import contextlib


class Redirect(contextlib.redirect_stdout):
    _stream = "path"


Redirect(["changed"]).__enter__()
# --- second executor
import sys

if getattr(sys, "path", None) == ["changed"]:
    loot("mutated: sys.path")
