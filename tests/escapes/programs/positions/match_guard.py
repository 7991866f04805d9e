# Hide the forbidden attribute in the guard of a case.
# mechanism: the guard field of a match case
# stopped by: check
# reason: every node of the tree is checked, guards too

import json

match 1:
    case _ if loot(json.dumps.__globals__):
        pass
