# Reach the inside of numpy.
# mechanism: numpy._core
# stopped by: view
# reason: private submodules hold what the public ones leave out
# imports: numpy

import numpy

loot(numpy._core)
