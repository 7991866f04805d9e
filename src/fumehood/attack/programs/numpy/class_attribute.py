# aim: replace a method of a numpy class
# mechanism: attribute assignment on a Python class of numpy
# language: run
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot
# imports: numpy

import numpy

numpy.poly1d.deriv = lambda self, m=1: "changed"
# --- second executor
import numpy

if numpy.poly1d([1, 2]).deriv() == "changed":
    loot("mutated: numpy.poly1d")
