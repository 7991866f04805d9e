# Load a C library through numpy's submodule.
# mechanism: import numpy.ctypeslib
# stopped by: view
# reason: ctypeslib loads libraries and holds ctypes
# imports: numpy

import numpy.ctypeslib as found

loot(found.ctypes)
