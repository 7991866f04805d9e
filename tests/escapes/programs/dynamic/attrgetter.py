# Read a forbidden attribute by operator.attrgetter.
# mechanism: the name is given as a string
# stopped by: builtins
# reason: computed names obey the same tables as spelled ones

import json
import operator

loot(operator.attrgetter("__globals__")(json.dumps))
