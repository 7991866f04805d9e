# Let a partial call the method.
# mechanism: functools.partial
# stopped by: guard
# reason: str.format reads the attributes its template names

import functools
import textwrap

loot(functools.partial(str.format, "{0.__code__}")(textwrap.dedent))
