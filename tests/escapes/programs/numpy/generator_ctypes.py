# Take C function pointers out of a random generator.
# mechanism: bit_generator.ctypes
# stopped by: guard
# reason: the attribute holds ctypes objects
# imports: numpy

import numpy

loot(tuple(numpy.random.default_rng().bit_generator.ctypes))
