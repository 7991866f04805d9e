# Build the call out of reduce and operator functions only.
# mechanism: functools.reduce over getattr-like functions
# stopped by: builtins
# reason: computed names obey the same tables

import functools
import textwrap

loot(functools.reduce(getattr, ["__co" + "de__"], textwrap.dedent))
