# aim: hide the forbidden attribute in the condition of a comprehension
# mechanism: the ifs of a generator
# language: check
# reason: every node of the tree is checked, comprehensions too
# jail: process
# plain: loot

import json

[x for x in [0] if loot(json.dumps.__globals__)]
