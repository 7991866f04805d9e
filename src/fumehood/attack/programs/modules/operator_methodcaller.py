# aim: hand out the raw class that calls methods by name
# mechanism: operator.methodcaller
# language: builtins
# reason: the methodcaller that code sees is not the library's
# jail: process
# plain: loot

import operator

loot(operator.methodcaller)
