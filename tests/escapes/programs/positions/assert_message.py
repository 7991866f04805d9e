# Hide the forbidden attribute in the message of an assertion.
# mechanism: the message is evaluated when the assertion fails
# stopped by: check
# reason: every node of the tree is checked, messages too

import json

try:
    assert not json, loot(json.dumps.__globals__)
except AssertionError:
    pass
