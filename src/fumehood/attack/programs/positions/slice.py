# aim: hide the forbidden attribute in a slice
# mechanism: lower, upper and step are expressions
# language: check
# reason: every node of the tree is checked, slices too
# jail: process
# plain: loot

import json

"text"[:: loot(json.dumps.__globals__) or 1]
