# Print a code object by a template.
# mechanism: str.format follows dots in its fields
# stopped by: guard
# reason: str.format reads the attributes its template names

import textwrap

loot("{0.__code__}".format(textwrap.dedent))
