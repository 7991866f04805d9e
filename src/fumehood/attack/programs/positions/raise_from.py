# aim: hide the forbidden attribute in the cause of a raise
# mechanism: the cause field
# language: check
# reason: every node of the tree is checked, causes too
# jail: process
# plain: loot

import json

try:
    raise ValueError from loot(json.dumps.__globals__)
except ValueError:
    pass
