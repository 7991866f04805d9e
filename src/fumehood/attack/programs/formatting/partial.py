# aim: let a partial call the method
# mechanism: functools.partial
# language: guard
# reason: str.format reads the attributes its template names
# jail: process
# plain: loot

import functools
import textwrap

loot(functools.partial(str.format, "{0.__code__}")(textwrap.dedent))
