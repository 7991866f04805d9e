# Read the address of an array.
# mechanism: __array_interface__ of an array
# stopped by: check
# reason: addresses are half of reading memory
# imports: numpy
# control: none (an address alone is a number)

import numpy

loot(numpy.zeros(3).__array_interface__["data"])
