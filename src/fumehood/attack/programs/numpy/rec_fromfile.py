# aim: read a file into records
# mechanism: numpy.rec.fromfile
# language: view
# reason: fromfile reads files
# jail: mount namespace, landlock
# plain: loot
# imports: numpy

import numpy

loot(numpy.rec.fromfile(secret_path, dtype=[("byte", "u1")], shape=-1).tobytes())
