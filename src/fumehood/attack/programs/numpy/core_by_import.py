# aim: import the inside of numpy
# mechanism: import numpy._core.multiarray
# language: view
# reason: private submodules hold what the public ones leave out
# jail: process
# plain: loot
# imports: numpy

import numpy._core.multiarray as found

loot(found)
