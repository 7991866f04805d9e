# aim: write a file by a method of an array, taken out by a class pattern
# mechanism: a keyword pattern on an array
# language: check
# reason: tofile writes files
# jail: mount namespace, landlock
# plain: loot
# imports: numpy

import numpy

match numpy.zeros(3):
    case numpy.ndarray(tofile=write):
        write(scratch_path)
