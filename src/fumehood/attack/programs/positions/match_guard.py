# aim: hide the forbidden attribute in the guard of a case
# mechanism: the guard field of a match case
# language: check
# reason: every node of the tree is checked, guards too
# jail: process
# plain: loot

import json

match 1:
    case _ if loot(json.dumps.__globals__):
        pass
