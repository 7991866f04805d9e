# See memory beyond the end of an array by changing its strides.
# mechanism: assignment to ndarray.strides
# stopped by: view
# reason: numpy itself refuses strides that leave the array
# imports: numpy
# control: none (numpy refuses it as well)

import numpy

array = numpy.zeros(1)
array.strides = (1 << 20,)
loot(array)
