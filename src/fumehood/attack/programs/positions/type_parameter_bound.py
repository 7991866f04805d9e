# aim: hide the forbidden attribute in the bound of a type parameter, which is evaluated later
# mechanism: the bound of a type variable
# language: check
# reason: every node of the tree is checked, type parameters too
# jail: process
# plain: loot
# python: 3.12+
# refuses: __globals__

import json


def function[T: loot(json.dumps.__globals__)](x: T):
    return x


function.__type_params__[0].__bound__
