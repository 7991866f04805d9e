# Let the formatter class of the library do it.
# mechanism: string.Formatter.format
# stopped by: builtins
# reason: a formatter reads the attributes its template names

import string
import textwrap

loot(string.Formatter().format("{0.__code__}", textwrap.dedent))
