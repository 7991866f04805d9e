# aim: hide the forbidden attribute in a keyword of a class header
# mechanism: class keywords are expressions
# language: check
# reason: every node of the tree is checked, class headers too
# jail: process
# plain: loot

import json


class Derived(metaclass=loot(json.dumps.__globals__) or type):
    pass
