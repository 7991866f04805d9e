# aim: hide the forbidden attribute in the format specification of an f-string
# mechanism: a format specification is an f-string inside an f-string
# language: check
# reason: every node of the tree is checked, format specifications too
# jail: process
# plain: loot

import json

f"{'x':{loot(json.dumps.__globals__) or '>3'}}"
