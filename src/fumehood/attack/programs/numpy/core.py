# aim: reach the inside of numpy
# mechanism: numpy._core
# language: view
# reason: private submodules hold what the public ones leave out
# jail: process
# plain: loot
# imports: numpy

import numpy

loot(numpy._core)
