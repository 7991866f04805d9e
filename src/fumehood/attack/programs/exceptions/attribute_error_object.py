# aim: take the object out of an attribute error about a module
# mechanism: AttributeError.obj is the object that lacks the attribute
# source: CVE-2024-47532 (RestrictedPython)
# language: view
# reason: an error about a view carries the view, not the module behind it
# jail: process
# plain: loot

import json

try:
    json.nothing_of_this_name
except AttributeError as error:
    loot(error.obj)
