# aim: hide the forbidden attribute in the type of an except* clause
# mechanism: TryStar is another node than Try
# language: check
# reason: every node of the tree is checked, except* clauses too
# jail: process
# plain: loot

import json

try:
    raise ExceptionGroup("", [ValueError()])
except* (loot(json.dumps.__globals__), ValueError)[1]:
    pass
