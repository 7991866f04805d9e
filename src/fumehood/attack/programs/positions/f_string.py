# aim: hide the forbidden attribute in a replacement field
# mechanism: an f-string holds expressions
# language: check
# reason: every node of the tree is checked, f-strings too
# jail: process
# plain: loot

import json

f"{loot(json.dumps.__globals__)}"
