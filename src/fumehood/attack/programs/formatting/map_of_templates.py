# aim: let map call the method
# mechanism: str.format as an argument
# language: guard
# reason: str.format reads the attributes its template names
# jail: process
# plain: loot

import textwrap

loot(next(map(str.format, ["{0.__code__}"], [textwrap.dedent])))
