# aim: read a forbidden attribute by operator.attrgetter
# mechanism: the name is given as a string
# language: builtins
# reason: computed names obey the same tables as spelled ones
# jail: process
# plain: loot

import json
import operator

loot(operator.attrgetter("__globals__")(json.dumps))
