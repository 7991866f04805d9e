# aim: pickle an array into a file
# mechanism: ndarray.dump
# language: guard
# reason: dump writes files
# jail: mount namespace, landlock
# plain: loot
# imports: numpy

import numpy

numpy.zeros(3).dump(scratch_path)
