# Hide the forbidden attribute in the value of a type alias, which is evaluated later.
# mechanism: the type statement
# stopped by: check
# reason: every node of the tree is checked, type aliases too
# python: 3.12+
# refuses: __globals__

import json

type Alias = loot(json.dumps.__globals__)
Alias.__value__
