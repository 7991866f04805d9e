# Hide the forbidden attribute in a replacement field.
# mechanism: an f-string holds expressions
# stopped by: check
# reason: every node of the tree is checked, f-strings too

import json

f"{loot(json.dumps.__globals__)}"
