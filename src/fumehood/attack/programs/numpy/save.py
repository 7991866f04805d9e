# aim: save an array to a file
# mechanism: numpy.save
# language: view
# reason: save writes files
# jail: mount namespace, landlock
# plain: loot
# imports: numpy

import numpy

numpy.save(scratch_path, numpy.zeros(3))
