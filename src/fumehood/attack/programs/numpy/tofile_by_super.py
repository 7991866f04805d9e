# aim: write a file by a method of an array, through super
# mechanism: a super object is no array but answers like one
# language: guard
# reason: tofile writes files
# jail: mount namespace, landlock
# plain: loot
# imports: numpy

import numpy


class Mine(numpy.ndarray):
    def write(self, path):
        super().tofile(path)


numpy.zeros(3).view(Mine).write(scratch_path)
