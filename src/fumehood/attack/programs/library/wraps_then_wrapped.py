# aim: reach a library function through the attribute that wraps leaves behind
# mechanism: __wrapped__
# language: check
# reason: __wrapped__ hands out what the wrapper was made to hide
# jail: process
# plain: loot

import functools
import json


@functools.wraps(json.dumps)
def wrapper():
    pass


loot(wrapper.__wrapped__.__globals__)
