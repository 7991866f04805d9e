# Hand out the raw class that reads attributes by name.
# mechanism: operator.attrgetter
# stopped by: builtins
# reason: the attrgetter that code sees is not the library's

import operator

loot(operator.attrgetter)
