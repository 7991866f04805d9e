# Read a file into records.
# mechanism: numpy.rec.fromfile
# stopped by: view
# reason: fromfile reads files
# imports: numpy

import numpy

loot(numpy.rec.fromfile(secret_path, dtype=[("byte", "u1")], shape=-1).tobytes())
