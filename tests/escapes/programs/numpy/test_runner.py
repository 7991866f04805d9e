# Start the test runner of numpy.
# mechanism: numpy.test
# stopped by: view
# reason: test starts pytest
# imports: numpy

import numpy

loot(numpy.test)
