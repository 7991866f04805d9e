# aim: take a method of type out of its dictionary
# mechanism: vars() of a class, subscripted
# language: builtins
# reason: a class dictionary hands out every descriptor by computed name
# jail: process
# plain: loot

loot(vars(type)["__subcl" + "asses__"](object))
