# aim: write a file by a method of an array, through a weak proxy
# mechanism: a proxy is no array but answers like one
# language: guard
# reason: tofile writes files
# jail: mount namespace, landlock
# plain: loot
# imports: numpy

import weakref

import numpy

array = numpy.zeros(3)
weakref.proxy(array).tofile(scratch_path)
