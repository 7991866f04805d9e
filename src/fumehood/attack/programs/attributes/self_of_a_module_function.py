# aim: read the module that a C function belongs to
# mechanism: __self__ of math.sqrt is the real math module
# language: check
# reason: __self__ of a builtin is a real module
# jail: process
# plain: loot

import math

loot(math.sqrt.__self__)
