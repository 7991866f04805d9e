# aim: hand out the raw class that reads attributes by name
# mechanism: operator.attrgetter
# language: builtins
# reason: the attrgetter that code sees is not the library's
# jail: process
# plain: loot

import operator

loot(operator.attrgetter)
