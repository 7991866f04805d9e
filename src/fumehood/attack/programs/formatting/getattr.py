# aim: fetch the method by a computed name
# mechanism: getattr
# language: builtins
# reason: str.format reads the attributes its template names
# jail: process
# plain: loot

import textwrap

loot(getattr("{0.__code__}", "for" + "mat")(textwrap.dedent))
