# Hide the forbidden attribute among the bases of a class.
# mechanism: bases are expressions
# stopped by: check
# reason: every node of the tree is checked, class headers too

import json


class Derived(*(loot(json.dumps.__globals__) or ())):
    pass
