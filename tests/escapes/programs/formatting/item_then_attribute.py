# Go through an item before the attribute.
# mechanism: brackets and dots mixed in one field
# stopped by: guard
# reason: str.format reads the attributes its template names

import textwrap

loot("{0[key].__code__}".format({"key": textwrap.dedent}))
