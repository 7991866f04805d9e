# aim: import the tools that run text, from below the module that is left out
# mechanism: numpy.testing._private.utils
# language: check
# reason: what is below a module that is left out is left out too
# jail: process
# plain: loot
# imports: numpy

import numpy.testing._private.utils as found

loot(found)
