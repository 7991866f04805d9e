# Reach os through numpy's testing tools.
# mechanism: numpy.testing
# stopped by: view
# reason: testing tools start programs and open files
# imports: numpy

import numpy.testing

loot(numpy.testing)
