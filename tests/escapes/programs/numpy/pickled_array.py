# Unpickle by way of an array of objects.
# mechanism: ndarray.__setstate__ and __reduce__
# stopped by: check
# reason: pickling methods set what an object is made of
# imports: numpy

import numpy

loot(numpy.zeros(1).__reduce__()[0].__self__)
