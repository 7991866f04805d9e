# aim: hide the forbidden attribute in the value of a type alias, which is evaluated later
# mechanism: the type statement
# language: check
# reason: every node of the tree is checked, type aliases too
# jail: process
# plain: loot
# python: 3.12+
# refuses: __globals__

import json

type Alias = loot(json.dumps.__globals__)
Alias.__value__
