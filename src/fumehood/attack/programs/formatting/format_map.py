# aim: use the mapping form
# mechanism: str.format_map
# language: guard
# reason: str.format_map reads the attributes its template names
# jail: process
# plain: loot

import textwrap

loot("{it.__code__}".format_map({"it": textwrap.dedent}))
