# aim: walk from an empty tuple to the list of every loaded class
# mechanism: the classic chain of dunder attributes
# source: Ned Batchelder, "Eval really is dangerous", 2012
# language: check
# reason: __subclasses__ lists every class of the host process
# jail: process
# plain: loot

loot(().__class__.__base__.__subclasses__())
