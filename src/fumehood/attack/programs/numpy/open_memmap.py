# aim: map an array file into memory
# mechanism: numpy.lib.format.open_memmap
# language: view
# reason: open_memmap reads and writes files
# jail: process
# plain: loot
# imports: numpy

import numpy

loot(numpy.lib.format.open_memmap)
