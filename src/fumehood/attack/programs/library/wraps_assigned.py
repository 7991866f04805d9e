# aim: let functools.wraps read forbidden attributes
# mechanism: wraps is update_wrapper as a decorator
# language: builtins
# reason: the library reads names that the program chose
# jail: process
# plain: loot

import functools
import json


class Catcher:
    def __setattr__(self, name, value):
        loot(value)


functools.wraps(json.dumps, assigned=["__co" + "de__"])(Catcher())
