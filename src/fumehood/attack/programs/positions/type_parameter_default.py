# aim: hide the forbidden attribute in the default of a type parameter, which is evaluated later
# mechanism: the default of a type variable
# language: check
# reason: every node of the tree is checked, type parameters too
# jail: process
# plain: loot
# python: 3.13+
# refuses: __globals__

import json


class Box[T = loot(json.dumps.__globals__)]:
    pass


Box.__type_params__[0].__default__
