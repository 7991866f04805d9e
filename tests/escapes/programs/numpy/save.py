# Save an array to a file.
# mechanism: numpy.save
# stopped by: view
# reason: save writes files
# imports: numpy

import numpy

numpy.save(scratch_path, numpy.zeros(3))
