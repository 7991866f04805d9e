# aim: import the function that sees beyond the end of an array
# mechanism: from numpy.lib.stride_tricks import as_strided
# language: view
# reason: as_strided reads and writes memory outside the array
# jail: process
# plain: loot
# imports: numpy

from numpy.lib.stride_tricks import as_strided

loot(as_strided)
