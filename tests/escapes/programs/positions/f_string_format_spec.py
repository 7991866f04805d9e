# Hide the forbidden attribute in the format specification of an f-string.
# mechanism: a format specification is an f-string inside an f-string
# stopped by: check
# reason: every node of the tree is checked, format specifications too

import json

f"{'x':{loot(json.dumps.__globals__) or '>3'}}"
