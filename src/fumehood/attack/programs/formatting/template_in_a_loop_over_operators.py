# aim: build the call out of reduce and operator functions only
# mechanism: functools.reduce over getattr-like functions
# language: builtins
# reason: computed names obey the same tables
# jail: process
# plain: loot

import functools
import textwrap

loot(functools.reduce(getattr, ["__co" + "de__"], textwrap.dedent))
