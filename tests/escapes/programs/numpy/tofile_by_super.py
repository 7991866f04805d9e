# Write a file by a method of an array, through super.
# mechanism: a super object is no array but answers like one
# stopped by: guard
# reason: tofile writes files
# imports: numpy

import numpy


class Mine(numpy.ndarray):
    def write(self, path):
        super().tofile(path)


numpy.zeros(3).view(Mine).write(scratch_path)
