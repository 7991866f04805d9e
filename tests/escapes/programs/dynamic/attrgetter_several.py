# Hide the forbidden name among several.
# mechanism: attrgetter takes any number of names
# stopped by: builtins
# reason: every name is checked

import json
import operator

loot(operator.attrgetter("__name__", "__globals__")(json.dumps))
