# aim: let functools rename a library function and mark it
# mechanism: update_wrapper with a library function as the wrapper
# language: builtins
# reason: library functions are shared by every session and by the host
# jail: process
# plain: loot

import functools
import json


def mine():
    """Not the documentation of dumps."""


mine.escaped = True
functools.update_wrapper(json.dumps, mine)
# --- second executor
import json

if hasattr(json.dumps, "escaped"):
    loot("mutated: json.dumps")
