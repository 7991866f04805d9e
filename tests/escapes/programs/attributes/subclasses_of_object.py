# Ask object, which is a builtin anyway, for its subclasses.
# mechanism: one attribute on a name every program has
# stopped by: check
# reason: __subclasses__ lists every class of the host process

loot(object.__subclasses__())
