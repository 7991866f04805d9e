# Map an array file into memory.
# mechanism: numpy.lib.format.open_memmap
# stopped by: view
# reason: open_memmap reads and writes files
# imports: numpy

import numpy

loot(numpy.lib.format.open_memmap)
