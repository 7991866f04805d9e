# aim: write a file by a method of an array, called by operator
# mechanism: operator.methodcaller
# language: builtins
# reason: tofile writes files
# jail: mount namespace, landlock
# plain: loot
# imports: numpy

import operator

import numpy

operator.methodcaller("tofile", scratch_path)(numpy.zeros(3))
