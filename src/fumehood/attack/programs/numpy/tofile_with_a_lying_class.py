# aim: write a file by a method of an array that claims to be a module
# mechanism: isinstance believes __class__
# language: guard
# reason: tofile writes files
# jail: mount namespace, landlock
# plain: loot
# imports: numpy

import types

import numpy


class Mine(numpy.ndarray):
    __class__ = property(lambda self: types.ModuleType)


numpy.zeros(3).view(Mine).tofile(scratch_path)
