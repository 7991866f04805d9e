# aim: let a library class that wraps a string do the formatting
# mechanism: collections.UserString.format calls str.format on its data
# language: builtins
# reason: str.format reads the attributes its template names, also when the library calls it
# jail: process
# plain: loot

import collections
import textwrap

loot(str(collections.UserString("{0.__code__}").format(textwrap.dedent)))
