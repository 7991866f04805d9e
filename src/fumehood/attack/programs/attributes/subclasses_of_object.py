# aim: ask object, which is a builtin anyway, for its subclasses
# mechanism: one attribute on a name every program has
# language: check
# reason: __subclasses__ lists every class of the host process
# jail: process
# plain: loot

loot(object.__subclasses__())
