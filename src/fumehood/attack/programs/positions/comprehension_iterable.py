# aim: hide the forbidden attribute in what a generator expression walks over
# mechanism: the first iterable is evaluated outside the generator
# language: check
# reason: every node of the tree is checked, comprehensions too
# jail: process
# plain: loot

import json

(x for x in [loot(json.dumps.__globals__)])
