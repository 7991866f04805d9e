# aim: take C function pointers out of a random generator
# mechanism: bit_generator.ctypes
# language: guard
# reason: the attribute holds ctypes objects
# jail: process
# plain: loot
# imports: numpy

import numpy

loot(tuple(numpy.random.default_rng().bit_generator.ctypes))
