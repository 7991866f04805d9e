# Reach a module of numpy through a Python function of it.
# mechanism: __globals__
# stopped by: check
# reason: a module's namespace holds the real builtins and every module it imported
# imports: numpy

import numpy

loot(numpy.polyfit.__wrapped__.__globals__)
