# aim: hide the forbidden attribute in the annotation of a parameter
# mechanism: annotations of parameters are evaluated
# language: check
# reason: every node of the tree is checked, annotations too
# jail: process
# plain: loot
# refuses: __globals__

import json


def function(x: loot(json.dumps.__globals__)):
    return x


# Newer Pythons evaluate annotations when they are asked for.
function.__annotations__
