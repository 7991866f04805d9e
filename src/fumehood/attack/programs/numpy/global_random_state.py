# aim: make the host's random numbers predictable
# mechanism: numpy.random.seed
# language: run
# reason: random state may change; it gives nothing away
# jail: process
# plain: none (random state is not protected inline)
# imports: numpy

import numpy

numpy.random.seed(0)
