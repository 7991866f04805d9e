# aim: call the method of type unbound, with object as argument
# mechanism: type.__subclasses__ as a plain function
# language: check
# reason: __subclasses__ lists every class of the host process
# jail: process
# plain: loot

loot(type.__subclasses__(object))
