# aim: let functools rename a library function, in a cell that assigns to no attribute
# mechanism: update_wrapper with a library function as the wrapper
# language: builtins
# reason: library functions are shared by every session and by the host
# jail: process
# plain: loot

import functools
import json


def escaped():
    """escaped"""


functools.update_wrapper(json.loads, escaped)
# --- second executor
import json

if json.loads.__name__ == "escaped":
    loot("mutated: json.loads")
