# aim: hide the forbidden attribute in the key of a dict comprehension
# mechanism: key and value are fields of their own
# language: check
# reason: every node of the tree is checked, comprehensions too
# jail: process
# plain: loot

import json

{loot(json.dumps.__globals__): 0 for _ in "x"}
