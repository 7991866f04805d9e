# Read the address of an array, and through it all memory.
# mechanism: ndarray.ctypes
# stopped by: guard
# reason: the attribute holds ctypes objects
# imports: numpy

import numpy

loot(numpy.zeros(3).ctypes.shape)
