# aim: list every class of the process
# mechanism: a method that is made of a class answers for it, so that its __dict__ is that of the class, with all that is in it
# language: guard
# reason: the variables of a class are shown without what the name table refuses, whatever stands for the class
# jail: process
# plain: loot

import types

variables = vars(types.MethodType(type, 1))
loot(variables["__subclasses__"](object))
