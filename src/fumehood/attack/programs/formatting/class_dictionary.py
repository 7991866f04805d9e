# aim: fetch the method out of the dictionary of str
# mechanism: vars(str) by key
# language: builtins
# reason: str.format reads the attributes its template names
# jail: process
# plain: loot

import textwrap

loot(vars(str)["format"]("{0.__code__}", textwrap.dedent))
