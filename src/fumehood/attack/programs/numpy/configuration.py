# aim: reach modules through numpy's configuration
# mechanism: numpy.__config__
# language: nothing (the view of numpy has no such attribute)
# jail: process
# plain: loot
# imports: numpy

import numpy

loot(numpy.__config__)
