# aim: map a file into memory
# mechanism: numpy.memmap
# language: view
# reason: memmap reads and writes files
# jail: mount namespace, landlock
# plain: loot
# imports: numpy

import numpy

loot(numpy.memmap(secret_path, dtype=numpy.uint8, mode="r").tobytes())
