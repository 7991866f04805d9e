# aim: load a C library through numpy's submodule
# mechanism: import numpy.ctypeslib
# language: view
# reason: ctypeslib loads libraries and holds ctypes
# jail: process
# plain: loot
# imports: numpy

import numpy.ctypeslib as found

loot(found.ctypes)
