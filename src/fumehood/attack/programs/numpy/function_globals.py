# aim: reach a module of numpy through a Python function of it
# mechanism: __globals__
# language: check
# reason: a module's namespace holds the real builtins and every module it imported
# jail: process
# plain: loot
# imports: numpy

import numpy

loot(numpy.polyfit.__wrapped__.__globals__)
