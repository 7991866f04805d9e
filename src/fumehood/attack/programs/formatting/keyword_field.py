# aim: name the field by keyword
# mechanism: a named replacement field with a dot
# language: guard
# reason: str.format reads the attributes its template names
# jail: process
# plain: loot

import textwrap

loot("{it.__code__!r:>5}".format(it=textwrap.dedent))
