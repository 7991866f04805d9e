# Take the attribute primitive of object out of its dictionary.
# mechanism: vars() of a class, subscripted
# stopped by: builtins
# reason: a class dictionary hands out every descriptor by computed name

import json

loot(vars(object)["__getattri" + "bute__"](json.dumps, "__glo" + "bals__"))
