# aim: let contextlib read any attribute of the real sys module
# mechanism: redirect_stdout reads getattr(sys, self._stream), and a subclass may choose the name
# language: builtins
# reason: the library reads names that the program chose
# jail: process
# plain: loot

import contextlib


class Redirect(contextlib.redirect_stdout):
    _stream = "_getframe"


redirect = Redirect(None)
with redirect:
    found = redirect._old_targets[0]
loot(found)
