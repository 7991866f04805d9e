# Make the host's random numbers predictable.
# mechanism: numpy.random.seed
# stopped by: run
# reason: random state may change; it gives nothing away
# imports: numpy
# control: none (random state is not protected inline)

import numpy

numpy.random.seed(0)
