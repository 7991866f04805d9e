# aim: go through an item before the attribute
# mechanism: brackets and dots mixed in one field
# language: guard
# reason: str.format reads the attributes its template names
# jail: process
# plain: loot

import textwrap

loot("{0[key].__code__}".format({"key": textwrap.dedent}))
