# aim: look up variables of a library function
# mechanism: numpy.bmat takes names from the frame of its caller, which may be a library function
# language: view
# reason: it reads variables of other code
# jail: process
# plain: loot
# imports: numpy

import functools
import json

import numpy


class File:
    read = functools.partial(numpy.bmat, "__all__")


try:
    json.load(File())
except TypeError as error:
    text = str(error)
    if "matrix" in text:
        loot("mutated: variables of a library")
