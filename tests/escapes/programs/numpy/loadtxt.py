# Read a text file by way of an array.
# mechanism: numpy.loadtxt with a path
# stopped by: view
# reason: loadtxt reads files
# imports: numpy

import numpy

loot(str(numpy.loadtxt(secret_path, dtype=str)))
