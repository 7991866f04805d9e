# aim: write a file by a method of an array
# mechanism: ndarray.tofile
# language: guard
# reason: tofile writes files
# jail: mount namespace, landlock
# plain: loot
# imports: numpy

import numpy

numpy.zeros(3).tofile(scratch_path)
