# aim: hide the forbidden attribute in the message of an assertion
# mechanism: the message is evaluated when the assertion fails
# language: check
# reason: every node of the tree is checked, messages too
# jail: process
# plain: loot

import json

try:
    assert not json, loot(json.dumps.__globals__)
except AssertionError:
    pass
