# aim: hide the forbidden attribute in a return annotation
# mechanism: the returns field of a function
# language: check
# reason: every node of the tree is checked, annotations too
# jail: process
# plain: loot
# refuses: __globals__

import json


def function() -> loot(json.dumps.__globals__):
    pass


function.__annotations__
