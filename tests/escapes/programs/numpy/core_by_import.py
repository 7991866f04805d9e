# Import the inside of numpy.
# mechanism: import numpy._core.multiarray
# stopped by: view
# reason: private submodules hold what the public ones leave out
# imports: numpy

import numpy._core.multiarray as found

loot(found)
