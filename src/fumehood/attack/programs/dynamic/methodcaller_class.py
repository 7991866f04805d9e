# aim: get the unguarded methodcaller back from what the guarded one returns
# mechanism: type() of what the guarded methodcaller returns
# language: builtins
# reason: what a guard returns must not lead to what it guards
# jail: process
# plain: loot

import operator

loot(type(operator.methodcaller("mro"))("__subclasses__")(object))
