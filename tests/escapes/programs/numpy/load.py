# Load a file, pickles included.
# mechanism: numpy.load
# stopped by: view
# reason: load reads files and unpickles
# imports: numpy

import numpy

loot(numpy.load)
