# Save arrays to an archive.
# mechanism: numpy.savez_compressed
# stopped by: view
# reason: savez_compressed writes files
# imports: numpy

import numpy

numpy.savez_compressed(scratch_path, numpy.zeros(3))
