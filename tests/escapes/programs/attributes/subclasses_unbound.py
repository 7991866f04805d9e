# Call the method of type unbound, with object as argument.
# mechanism: type.__subclasses__ as a plain function
# stopped by: check
# reason: __subclasses__ lists every class of the host process

loot(type.__subclasses__(object))
