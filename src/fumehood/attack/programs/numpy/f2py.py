# aim: compile and load Fortran code
# mechanism: numpy.f2py
# language: view
# reason: f2py starts compilers
# jail: process
# plain: loot
# imports: numpy

import numpy.f2py

loot(numpy.f2py)
