# Compile and load Fortran code.
# mechanism: numpy.f2py
# stopped by: view
# reason: f2py starts compilers
# imports: numpy

import numpy.f2py

loot(numpy.f2py)
