# Hide the forbidden attribute in a default value.
# mechanism: defaults are evaluated when the function is defined
# stopped by: check
# reason: every node of the tree is checked, defaults too

import json


def function(found=json.dumps.__globals__):
    loot(found)


function()
