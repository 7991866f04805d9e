# aim: hide the forbidden attribute in a decorator expression
# mechanism: decorators are expressions of their own
# language: check
# reason: every node of the tree is checked, decorators too
# jail: process
# plain: loot

import json


@lambda function: loot(json.dumps.__globals__)
def decorated():
    pass
