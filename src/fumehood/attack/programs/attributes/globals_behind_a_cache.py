# aim: reach a library function through the wrapper that caches it
# mechanism: __wrapped__ of functools.lru_cache
# language: check
# reason: __wrapped__ hands out what the wrapper was made to hide
# jail: process
# plain: loot

import functools
import json

loot(functools.lru_cache(json.dumps).__wrapped__.__globals__)
