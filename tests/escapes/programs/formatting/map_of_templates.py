# Let map call the method.
# mechanism: str.format as an argument
# stopped by: guard
# reason: str.format reads the attributes its template names

import textwrap

loot(next(map(str.format, ["{0.__code__}"], [textwrap.dedent])))
