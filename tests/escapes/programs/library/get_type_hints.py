# Let typing evaluate a string annotation.
# mechanism: typing.get_type_hints calls eval
# stopped by: builtins
# reason: the library evaluates text unguarded

import typing


def function(x: "().__class__.__base__.__subclasses__"):
    pass


loot(typing.get_type_hints(function)["x"])
