# aim: let singledispatchmethod evaluate a string annotation
# mechanism: the method form has a register of its own
# language: builtins
# reason: the library evaluates text unguarded
# jail: process
# plain: loot

import functools


class Holder:
    @functools.singledispatchmethod
    def method(self, x):
        pass

    @method.register
    def implementation(self, x: "loot(().__class__.__base__.__subclasses__()) or int"):
        pass
