# Save an array as text.
# mechanism: numpy.savetxt
# stopped by: view
# reason: savetxt writes files
# imports: numpy

import numpy

numpy.savetxt(scratch_path, numpy.zeros(3))
