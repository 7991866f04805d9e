# aim: reach os through numpy's testing tools
# mechanism: numpy.testing
# language: view
# reason: testing tools start programs and open files
# jail: process
# plain: loot
# imports: numpy

import numpy.testing

loot(numpy.testing)
