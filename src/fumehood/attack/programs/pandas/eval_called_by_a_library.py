# aim: look up variables of a library function
# mechanism: df.eval takes names from the frame of its caller, which may be a library function
# language: guard
# reason: only the code's own variables are seen
# jail: process
# plain: loot
# imports: pandas

import functools
import json

import pandas


class Reader:
    read = functools.partial(pandas.DataFrame({"a": [1]}).eval, "@detect_encoding")


try:
    json.load(Reader())
except TypeError as error:
    if "function" in str(error):
        loot("mutated: variables of a library")
