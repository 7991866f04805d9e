# Write a file by a method of an array.
# mechanism: ndarray.tofile
# stopped by: guard
# reason: tofile writes files
# imports: numpy

import numpy

numpy.zeros(3).tofile(scratch_path)
