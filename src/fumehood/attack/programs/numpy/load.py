# aim: load a file, pickles included
# mechanism: numpy.load
# language: view
# reason: load reads files and unpickles
# jail: process
# plain: loot
# imports: numpy

import numpy

loot(numpy.load)
