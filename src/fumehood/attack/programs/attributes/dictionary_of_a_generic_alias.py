# aim: get the raw __getattribute__, which reads any attribute of anything
# mechanism: a generic alias answers for its class, so that its __dict__ is that of the class, with all that is in it
# language: guard
# reason: the variables of a class are shown without what the name table refuses, whatever stands for the class
# jail: process
# plain: loot

import types

loot(types.GenericAlias(object, ()).__dict__["__getattribute__"])
