# Walk from an empty tuple to the list of every loaded class.
# mechanism: the classic chain of dunder attributes
# stopped by: check
# reason: __subclasses__ lists every class of the host process

loot(().__class__.__base__.__subclasses__())
