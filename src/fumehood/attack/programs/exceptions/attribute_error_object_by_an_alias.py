# aim: take the object of an error past the guard of its attribute
# mechanism: types.GenericAlias(error, ()).obj is the error's
# language: guard
# reason: the object that an attribute access returned is checked, not its owner
# jail: process
# plain: loot

import json
import types

try:
    import collections.abc

    getattr(vars(json)["decoder"], "nothing_of_this_name")
except AttributeError as error:
    loot(types.GenericAlias(error, ()).obj)
