# aim: let singledispatch evaluate a string annotation
# mechanism: register without a type reads the annotations with typing.get_type_hints
# language: builtins
# reason: the library evaluates text unguarded
# jail: process
# plain: loot

import functools


@functools.singledispatch
def function(x):
    pass


def implementation(x: "loot(().__class__.__base__.__subclasses__()) or int"):
    pass


function.register(implementation)
