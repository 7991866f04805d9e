# aim: read the address of an array, and through it all memory
# mechanism: ndarray.ctypes
# language: guard
# reason: the attribute holds ctypes objects
# jail: process
# plain: loot
# imports: numpy

import numpy

loot(numpy.zeros(3).ctypes.shape)
