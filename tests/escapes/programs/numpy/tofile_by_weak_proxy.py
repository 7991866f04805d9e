# Write a file by a method of an array, through a weak proxy.
# mechanism: a proxy is no array but answers like one
# stopped by: guard
# reason: tofile writes files
# imports: numpy

import weakref

import numpy

array = numpy.zeros(3)
weakref.proxy(array).tofile(scratch_path)
