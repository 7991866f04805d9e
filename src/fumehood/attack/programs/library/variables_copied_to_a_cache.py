# aim: read the variables of a class that a decorator has copied
# mechanism: functools.lru_cache(type(lambda: 0)) copies the class's dictionary into its own
# language: guard
# reason: an object's variables are shown without what the name table refuses
# jail: process
# plain: loot

import functools
import textwrap

loot(vars(functools.lru_cache(type(lambda: 0)))["__globals__"].__get__(textwrap.dedent))
