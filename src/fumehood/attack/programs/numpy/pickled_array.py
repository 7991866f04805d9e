# aim: unpickle by way of an array of objects
# mechanism: ndarray.__setstate__ and __reduce__
# language: check
# reason: pickling methods set what an object is made of
# jail: process
# plain: loot
# imports: numpy

import numpy

loot(numpy.zeros(1).__reduce__()[0].__self__)
