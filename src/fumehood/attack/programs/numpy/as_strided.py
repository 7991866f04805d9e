# aim: see memory beyond the end of an array
# mechanism: numpy.lib.stride_tricks.as_strided
# language: view
# reason: as_strided reads and writes memory outside the array
# jail: process
# plain: loot
# imports: numpy

import numpy

loot(numpy.lib.stride_tricks.as_strided)
