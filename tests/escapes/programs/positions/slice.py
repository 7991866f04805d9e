# Hide the forbidden attribute in a slice.
# mechanism: lower, upper and step are expressions
# stopped by: check
# reason: every node of the tree is checked, slices too

import json

"text"[:: loot(json.dumps.__globals__) or 1]
