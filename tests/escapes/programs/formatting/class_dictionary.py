# Fetch the method out of the dictionary of str.
# mechanism: vars(str) by key
# stopped by: builtins
# reason: str.format reads the attributes its template names

import textwrap

loot(vars(str)["format"]("{0.__code__}", textwrap.dedent))
