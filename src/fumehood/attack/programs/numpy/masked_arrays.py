# aim: reach the builtins module through masked arrays
# mechanism: numpy.ma.core.builtins
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot
# imports: numpy

import numpy

loot(numpy.ma.core.builtins)
