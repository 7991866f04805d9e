# aim: read the address of an array
# mechanism: __array_interface__ of an array
# language: check
# reason: addresses are half of reading memory
# jail: process
# plain: none (an address alone is a number)
# imports: numpy

import numpy

loot(numpy.zeros(3).__array_interface__["data"])
