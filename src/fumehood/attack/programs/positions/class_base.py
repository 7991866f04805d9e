# aim: hide the forbidden attribute among the bases of a class
# mechanism: bases are expressions
# language: check
# reason: every node of the tree is checked, class headers too
# jail: process
# plain: loot

import json


class Derived(*(loot(json.dumps.__globals__) or ())):
    pass
