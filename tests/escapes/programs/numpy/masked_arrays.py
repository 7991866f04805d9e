# Reach the builtins module through masked arrays.
# mechanism: numpy.ma.core.builtins
# stopped by: view
# reason: a module found inside a module is a view or absent
# imports: numpy

import numpy

loot(numpy.ma.core.builtins)
