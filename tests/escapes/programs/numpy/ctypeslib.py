# Load a C library through numpy.
# mechanism: numpy.ctypeslib
# stopped by: view
# reason: ctypeslib loads libraries and holds ctypes
# imports: numpy

import numpy

loot(numpy.ctypeslib.ctypes)
