# aim: get the unguarded attrgetter back from what the guarded one returns
# mechanism: type() of what the guarded attrgetter returns
# language: builtins
# reason: what a guard returns must not lead to what it guards
# jail: process
# plain: loot

import json
import operator

loot(type(operator.attrgetter("name"))("__globals__")(json.dumps))
