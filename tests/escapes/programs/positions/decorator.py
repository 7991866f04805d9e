# Hide the forbidden attribute in a decorator expression.
# mechanism: decorators are expressions of their own
# stopped by: check
# reason: every node of the tree is checked, decorators too

import json


@lambda function: loot(json.dumps.__globals__)
def decorated():
    pass
