# Map a file into memory.
# mechanism: numpy.memmap
# stopped by: view
# reason: memmap reads and writes files
# imports: numpy

import numpy

loot(numpy.memmap(secret_path, dtype=numpy.uint8, mode="r").tobytes())
