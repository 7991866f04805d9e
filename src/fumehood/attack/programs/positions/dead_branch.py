# aim: hide the forbidden attribute behind a condition that the checker might think false
# mechanism: a branch that is taken only while running
# language: check
# reason: what is in the tree is checked, reached or not
# jail: process
# plain: loot

import json

if not loot(0):
    loot(json.dumps.__globals__)
