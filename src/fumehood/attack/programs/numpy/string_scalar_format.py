# aim: call format on numpy's own string type
# mechanism: numpy.str_ is a subclass of str
# language: guard
# reason: str.format reads the attributes its template names
# jail: process
# plain: loot
# imports: numpy

import numpy
import textwrap

loot(numpy.str_("{0.__code__}").format(textwrap.dedent))
