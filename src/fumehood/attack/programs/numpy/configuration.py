# aim: reach modules through numpy's configuration
# mechanism: numpy.__config__
# language: check
# reason: dunder attributes of modules are not given
# jail: process
# plain: loot
# imports: numpy

import numpy

loot(numpy.__config__)
