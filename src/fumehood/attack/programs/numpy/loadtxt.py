# aim: read a text file by way of an array
# mechanism: numpy.loadtxt with a path
# language: view
# reason: loadtxt reads files
# jail: mount namespace, landlock
# plain: loot
# imports: numpy

import numpy

loot(str(numpy.loadtxt(secret_path, dtype=str)))
