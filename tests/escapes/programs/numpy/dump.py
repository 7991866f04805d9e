# Pickle an array into a file.
# mechanism: ndarray.dump
# stopped by: guard
# reason: dump writes files
# imports: numpy

import numpy

numpy.zeros(3).dump(scratch_path)
