# Hide the forbidden attribute in a keyword of a class header.
# mechanism: class keywords are expressions
# stopped by: check
# reason: every node of the tree is checked, class headers too

import json


class Derived(metaclass=loot(json.dumps.__globals__) or type):
    pass
