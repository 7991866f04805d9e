# Read the module that a C function belongs to.
# mechanism: __self__ of math.sqrt is the real math module
# stopped by: check
# reason: __self__ of a builtin is a real module

import math

loot(math.sqrt.__self__)
