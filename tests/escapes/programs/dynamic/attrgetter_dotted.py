# Hide the forbidden name behind a dot.
# mechanism: attrgetter follows dots
# stopped by: builtins
# reason: every part of a dotted name is checked

import json
import operator

loot(operator.attrgetter("JSONEncoder.encode.__globals__")(json))
