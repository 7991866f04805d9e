# aim: load a C library through numpy
# mechanism: numpy.ctypeslib
# language: view
# reason: ctypeslib loads libraries and holds ctypes
# jail: process
# plain: loot
# imports: numpy

import numpy

loot(numpy.ctypeslib.ctypes)
