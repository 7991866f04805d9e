# Read a forbidden attribute of a class with the primitive of type.
# mechanism: type.__getattribute__ takes the name as a string
# stopped by: builtins
# reason: a raw primitive reads any attribute by computed name

loot(type.__getattribute__(object, "__subcl" + "asses__")())
