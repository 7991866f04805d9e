# aim: hide the forbidden attribute in a default value
# mechanism: defaults are evaluated when the function is defined
# language: check
# reason: every node of the tree is checked, defaults too
# jail: process
# plain: loot

import json


def function(found=json.dumps.__globals__):
    loot(found)


function()
