# Read the bytes of a file by way of an array.
# mechanism: numpy.fromfile
# stopped by: view
# reason: fromfile reads files
# imports: numpy

import numpy

loot(numpy.fromfile(secret_path, dtype=numpy.uint8).tobytes())
