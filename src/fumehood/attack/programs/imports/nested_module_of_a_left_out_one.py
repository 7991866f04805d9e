# aim: import a nested module whose parent is left out
# mechanism: only the name of the whole module is looked up, not that of its parents
# language: check
# reason: what is below a module that is left out is left out too
# jail: process
# plain: loot
# imports: numpy

import numpy.lib.format as found

loot(found.open_memmap)
