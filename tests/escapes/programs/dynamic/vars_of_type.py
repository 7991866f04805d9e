# Take a method of type out of its dictionary.
# mechanism: vars() of a class, subscripted
# stopped by: builtins
# reason: a class dictionary hands out every descriptor by computed name

loot(vars(type)["__subcl" + "asses__"](object))
