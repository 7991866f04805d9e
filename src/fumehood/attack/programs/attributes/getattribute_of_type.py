# aim: read a forbidden attribute of a class with the primitive of type
# mechanism: type.__getattribute__ takes the name as a string
# language: builtins
# reason: a raw primitive reads any attribute by computed name
# jail: process
# plain: loot

loot(type.__getattribute__(object, "__subcl" + "asses__")())
