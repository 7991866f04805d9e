# See memory beyond the end of an array.
# mechanism: numpy.lib.stride_tricks.as_strided
# stopped by: view
# reason: as_strided reads and writes memory outside the array
# imports: numpy

import numpy

loot(numpy.lib.stride_tricks.as_strided)
