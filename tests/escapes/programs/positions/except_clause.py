# Hide the forbidden attribute in the type of an except clause.
# mechanism: the type of an except clause is evaluated when something is raised
# stopped by: check
# reason: every node of the tree is checked, except clauses too

import json

try:
    raise ValueError
except (loot(json.dumps.__globals__), ValueError)[1]:
    pass
