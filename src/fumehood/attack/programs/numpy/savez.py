# aim: save arrays to an archive
# mechanism: numpy.savez_compressed
# language: view
# reason: savez_compressed writes files
# jail: mount namespace, landlock
# plain: loot
# imports: numpy

import numpy

numpy.savez_compressed(scratch_path, numpy.zeros(3))
