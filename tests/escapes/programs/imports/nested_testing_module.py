# Import the tools that run text, from below the module that is left out.
# mechanism: numpy.testing._private.utils
# stopped by: check
# reason: what is below a module that is left out is left out too
# imports: numpy

import numpy.testing._private.utils as found

loot(found)
