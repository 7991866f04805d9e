# aim: let numpy call str.format for every element
# mechanism: numpy.vectorize and numpy.frompyfunc
# language: guard
# reason: str.format reads the attributes its template names
# jail: process
# plain: loot
# imports: numpy

import numpy
import textwrap

render = numpy.frompyfunc(str.format, 2, 1)
loot(render("{0.__code__}", textwrap.dedent))
