# aim: see memory beyond the end of an array by changing its strides
# mechanism: assignment to ndarray.strides
# language: view
# reason: numpy itself refuses strides that leave the array
# jail: process
# plain: none (numpy refuses it as well)
# imports: numpy

import numpy

array = numpy.zeros(1)
array.strides = (1 << 20,)
loot(array)
