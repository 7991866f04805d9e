# aim: read a table file by way of an array
# mechanism: numpy.genfromtxt with a path
# language: view
# reason: genfromtxt reads files
# jail: mount namespace, landlock
# plain: loot
# imports: numpy

import numpy

loot(str(numpy.genfromtxt(secret_path, dtype=str)))
