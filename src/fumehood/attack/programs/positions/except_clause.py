# aim: hide the forbidden attribute in the type of an except clause
# mechanism: the type of an except clause is evaluated when something is raised
# language: check
# reason: every node of the tree is checked, except clauses too
# jail: process
# plain: loot

import json

try:
    raise ValueError
except (loot(json.dumps.__globals__), ValueError)[1]:
    pass
