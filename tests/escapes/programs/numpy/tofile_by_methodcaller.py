# Write a file by a method of an array, called by operator.
# mechanism: operator.methodcaller
# stopped by: builtins
# reason: tofile writes files
# imports: numpy

import operator

import numpy

operator.methodcaller("tofile", scratch_path)(numpy.zeros(3))
