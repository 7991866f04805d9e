# Read a table file by way of an array.
# mechanism: numpy.genfromtxt with a path
# stopped by: view
# reason: genfromtxt reads files
# imports: numpy

import numpy

loot(str(numpy.genfromtxt(secret_path, dtype=str)))
