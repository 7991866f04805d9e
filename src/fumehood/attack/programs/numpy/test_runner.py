# aim: start the test runner of numpy
# mechanism: numpy.test
# language: view
# reason: test starts pytest
# jail: process
# plain: loot
# imports: numpy

import numpy

loot(numpy.test)
