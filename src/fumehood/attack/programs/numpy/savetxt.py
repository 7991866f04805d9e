# aim: save an array as text
# mechanism: numpy.savetxt
# language: view
# reason: savetxt writes files
# jail: mount namespace, landlock
# plain: loot
# imports: numpy

import numpy

numpy.savetxt(scratch_path, numpy.zeros(3))
