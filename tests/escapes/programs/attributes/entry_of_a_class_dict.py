# Take a method out of a class dictionary by key.
# mechanism: type.__dict__ and a string subscript
# stopped by: builtins
# reason: a class dictionary hands out every descriptor by computed name

loot(type.__dict__["__subcl" + "asses__"](object))
