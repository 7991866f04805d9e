# Hide the forbidden attribute in the key of a dict comprehension.
# mechanism: key and value are fields of their own
# stopped by: check
# reason: every node of the tree is checked, comprehensions too

import json

{loot(json.dumps.__globals__): 0 for _ in "x"}
