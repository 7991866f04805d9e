# Get the unguarded attrgetter back from what the guarded one returns.
# mechanism: type() of what the guarded attrgetter returns
# stopped by: builtins
# reason: what a guard returns must not lead to what it guards

import json
import operator

loot(type(operator.attrgetter("name"))("__globals__")(json.dumps))
