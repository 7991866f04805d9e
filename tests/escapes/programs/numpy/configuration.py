# Reach modules through numpy's configuration.
# mechanism: numpy.__config__
# stopped by: check
# reason: dunder attributes of modules are not given
# imports: numpy

import numpy

loot(numpy.__config__)
