# aim: take the object out of the attribute error that the guarded getattr raises
# mechanism: AttributeError.obj
# language: view
# reason: an error about a view carries the view, not the module behind it
# jail: process
# plain: loot

import json

try:
    getattr(json, "nothing_of_this_name")
except AttributeError as error:
    loot(error.obj)
