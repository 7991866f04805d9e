# Name the field by keyword.
# mechanism: a named replacement field with a dot
# stopped by: guard
# reason: str.format reads the attributes its template names

import textwrap

loot("{it.__code__!r:>5}".format(it=textwrap.dedent))
