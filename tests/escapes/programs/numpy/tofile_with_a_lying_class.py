# Write a file by a method of an array that claims to be a module.
# mechanism: isinstance believes __class__
# stopped by: guard
# reason: tofile writes files
# imports: numpy

import types

import numpy


class Mine(numpy.ndarray):
    __class__ = property(lambda self: types.ModuleType)


numpy.zeros(3).view(Mine).tofile(scratch_path)
