# aim: read the variables of a class that a decorator has copied
# mechanism: __getstate__ hands out a copy of an object's dictionary
# language: guard
# reason: an object's state is shown as its variables are
# jail: process
# plain: loot

import functools
import textwrap

loot(functools.lru_cache(type(lambda: 0)).__getstate__()["__globals__"].__get__(textwrap.dedent))
