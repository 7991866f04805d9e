# Hand out the raw class that calls methods by name.
# mechanism: operator.methodcaller
# stopped by: builtins
# reason: the methodcaller that code sees is not the library's

import operator

loot(operator.methodcaller)
