# aim: read the bytes of a file by way of an array
# mechanism: numpy.fromfile
# source: CVE-2019-6446
# language: view
# reason: fromfile reads files
# jail: mount namespace, landlock
# plain: loot
# imports: numpy

import numpy

loot(numpy.fromfile(secret_path, dtype=numpy.uint8).tobytes())
