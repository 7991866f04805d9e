# aim: reach numpy's own function behind its dispatcher
# mechanism: __wrapped__ of an array function
# language: check
# reason: __wrapped__ leads to the module's globals
# jail: process
# plain: loot
# imports: numpy

import numpy

loot(numpy.linalg.norm.__wrapped__.__globals__)
